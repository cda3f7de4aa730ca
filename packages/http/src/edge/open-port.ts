import type { ServiceConfig } from '../settings/config'

/** The part of an Elysia app that the server needs; its full type differs by service. */
export interface Servable {
  listen(options: { hostname: string; port: number }): unknown
  server: { url: URL; stop(closeActiveConnections?: boolean): Promise<void> } | null
}

const drainMs = 10_000

/** Opens the port. Throws with one plain sentence if it is in use. */
export function openPort(app: Servable, { host, port, name }: Pick<ServiceConfig, 'host' | 'port' | 'name'>) {
  try {
    app.listen({ hostname: host, port })
  } catch (cause) {
    throw new Error(listenProblem(cause, host, port, name), { cause })
  }
  const { server } = app
  if (!server) throw new Error(`${name} could not listen on ${host}:${port}`)
  return {
    url: server.url.origin,
    /** Accepts no more connections, gives requests under way up to 10 s to finish, then aborts them. */
    stop: async () => {
      const cut = setTimeout(() => void server.stop(true), drainMs)
      await server.stop()
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
