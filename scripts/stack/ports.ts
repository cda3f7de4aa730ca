import { createServer } from 'node:net'

/** A port that something of ours is going to listen on. */
export interface Wanted {
  name: string
  host: string
  port: number
  /** The variable that changes it. */
  variable: string
}

/** Throws one sentence per unavailable port: who needs it, the reason, and the setting that changes it. */
export async function requirePorts(wanted: readonly Wanted[]): Promise<void> {
  const problems = (await Promise.all(wanted.map(problemWith))).filter((problem) => problem !== null)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

async function problemWith(wanted: Wanted, index: number, all: readonly Wanted[]): Promise<string | null> {
  const { name, host, port, variable } = wanted
  const rival = all.slice(0, index).find((other) => other.port === port)
  if (rival) return `Port ${port} is set for both ${rival.name} and ${name}: change ${rival.variable} or ${variable}.`
  switch (await listenError(host, port)) {
    case null:
      return null
    case 'EADDRINUSE':
      return `Port ${port}, where ${name} listens, is in use: stop what uses it, or set ${variable} to a free port.`
    case 'EACCES':
      return `Port ${port}, where ${name} listens, is not open to this user: set ${variable} to a port above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${name} cannot listen on ${host}, which is no address of this machine: correct HOST.`
    default:
      return `${name} cannot listen on ${host}:${port}: set HOST or ${variable} to another.`
  }
}

/** Whether nothing of this machine listens on a port of 127.0.0.1 now. */
export const isFree = async (port: number): Promise<boolean> => (await listenError('127.0.0.1', port)) === null

/** Listens for a moment; the error's code, or null if that worked. */
function listenError(host: string, port: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const server = createServer()
  server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  return promise
}
