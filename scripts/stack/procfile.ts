import { isServiceName, services } from '@bursar/contracts/services'

/** One line of a Procfile. */
export interface Entry {
  name: string
  command: string
  /** Where it writes what it does not print. */
  log?: string
}

/** Reads `name: command` lines; empty lines and those that begin with `#` are skipped. Throws on anything else. */
export function parseProcfile(text: string): Entry[] {
  const lines = text.split('\n').filter((line) => line.trim() && !line.startsWith('#'))
  return lines.map((line) => {
    const [, name, command] = /^([\w-]+):\s*(.+)$/.exec(line) ?? []
    if (!name || !command) throw new Error(`The Procfile has a line that is not "name: command": ${line}`)
    return { name, command }
  })
}

/** The entries that `only` names (all when it is empty), in the Procfile's order. Throws on a name it lacks. */
export function chooseEntries(entries: Entry[], only: readonly string[]): Entry[] {
  const names = entries.map((entry) => entry.name)
  const unknown = only.find((name) => !names.includes(name))
  if (unknown) throw new Error(`There is no service ${unknown} in the Procfile; it has ${names.join(', ')}.`)
  return only.length === 0 ? entries : entries.filter((entry) => only.includes(entry.name))
}

/** Where a service listens, and the variable that says so. */
export interface Address {
  name: string
  host: string
  port: number
  variable: string
  url: string
}

/** The address of each name that is a documented service, from HOST, `<SLUG>_PORT` and the catalogue's ports. */
export function addressesOf(names: readonly string[], env: NodeJS.ProcessEnv): Address[] {
  const documented = names.filter(isServiceName)
  return documented.map((name) => {
    const { slug, port: usual } = services[name]
    const variable = `${slug.toUpperCase()}_PORT`
    const port = readPort(env, variable, usual)
    const host = env.HOST || '127.0.0.1'
    return { name, host, port, variable, url: `http://${reachable(host)}:${port}` }
  })
}

/** A port from the environment, else `usual`. Throws when it is not a whole number from 1 to 65535. */
export function readPort(env: NodeJS.ProcessEnv, variable: string, usual: number): number {
  const port = Number(env[variable] || usual)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new Error(`${variable} must be a port from 1 to 65535, not "${env[variable]}".`)
}

/** A host as a caller on this machine writes it: who listens everywhere is reached on the loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** A path as one word of a shell's line. */
export const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`
