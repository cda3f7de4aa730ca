import { answerNear } from '../peers/near'
import type { ServiceConfig } from '../settings/config'

/** The part of an Elysia app that the server needs; its full type differs by service. */
export interface Servable {
  listen(options: { hostname: string; port: number }): unknown
  handle(request: Request): Response | Promise<Response>
  server: { url: URL; stop(closeActiveConnections?: boolean): Promise<void> } | null
}

const drainMs = 10_000

/** Opens the port. Throws with one plain sentence if it is in use. */
export function openPort(app: Servable, { host, port, name }: Pick<ServiceConfig, 'host' | 'port' | 'name'>) {
  const others = process.listeners('beforeExit')
  try {
    app.listen({ hostname: host, port })
  } catch (cause) {
    throw new Error(listenProblem(cause, host, port, name), { cause })
  }
  // Elysia's own would keep a service that has stopped in memory: whoever opened the port stops it.
  for (const added of process.listeners('beforeExit')) if (!others.includes(added)) process.off('beforeExit', added)
  const { server } = app
  if (!server) throw new Error(`${name} could not listen on ${host}:${port}`)
  const leave = answerNear({ host, port: server.url.port }, (request) => app.handle(request))
  return {
    url: server.url.origin,
    /** Accepts no more requests, gives those under way up to 10 s to finish, then aborts them. */
    stop: async () => {
      const late = Promise.withResolvers<void>()
      const cut = setTimeout(() => late.resolve(server.stop(true)), drainMs)
      await Promise.race([Promise.all([leave(), server.stop()]), late.promise])
      clearTimeout(cut)
    },
  }
}

function listenProblem(cause: unknown, host: string, port: number, name: string): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : ''
  if (code === 'EADDRINUSE') return `${name}: port ${port} is already in use; stop what uses it or choose another port`
  if (code === 'EACCES') return `${name}: port ${port} may not be opened by this user; choose one above 1023`
  return `${name} could not listen on ${host}:${port}: ${cause instanceof Error ? cause.message : String(cause)}`
}
