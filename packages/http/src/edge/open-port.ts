import { type Log, messageOf } from '@bursar/contracts/log'
import { answerInProcess } from '../peers/fetch-peer'
import { codeOf } from '../peers/unreachable'
import type { ServiceConfig } from '../settings/config'
import { openSocket } from './open-socket'
import { drainMs as usualDrainMs } from './stop-limits'

/** The part of an Elysia app that the server needs; its full type differs by service. */
export interface Servable {
  listen(options: { hostname: string; port: number }): unknown
  handle(request: Request): Response | Promise<Response>
  server: { url: URL; stop(closeActiveConnections?: boolean): Promise<void> } | null
}

export interface PortOptions extends Pick<ServiceConfig, 'host' | 'port' | 'name'> {
  /** The folder of its unix socket; null for none. */
  socketDir: string | null
  log: Log
  /** For tests. */
  drainMs?: number
}

/**
 * Waits until all have ended; from the first wait on, all together take at most `longestMs`: then each calls its `cut`, and
 * resolves with it.
 */
function createPatience(longestMs: number) {
  let endMs: number | undefined
  return async (ends: readonly (Promise<unknown> | undefined)[], cut: () => Promise<void> | void): Promise<void> => {
    endMs ??= performance.now() + longestMs
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(() => late.resolve(cut()), Math.max(0, endMs - performance.now()))
    await Promise.race([Promise.all(ends), late.promise])
    clearTimeout(timer)
  }
}

/** Opens the port, and the socket beside it. Throws with one plain sentence if the port is in use. */
export async function openPort(
  app: Servable,
  { host, port, name, socketDir, log, drainMs = usualDrainMs }: PortOptions,
) {
  try {
    app.listen({ hostname: host, port })
  } catch (cause) {
    throw new Error(listenProblem(cause, host, port, name), { cause })
  }
  const { server } = app
  if (!server) throw new Error(`${name} could not listen on ${host}:${port}`)
  const place = { host, port: server.url.port }
  const handle = (request: Request) => app.handle(request)
  const leaveNear = answerInProcess(place, handle)
  // The port is the lock: whoever has it may replace the file of a killed process.
  const socket = socketDir === null ? null : await openSocket(socketDir, place, handle, log)
  const inTime = createPatience(drainMs)
  const closePort = () =>
    // The socket first: its file must be gone before another process can take the port.
    inTime([socket?.stop(), server.stop()], () => {
      void socket?.stop(true)
      return server.stop(true)
    })
  const leave = () => inTime([leaveNear()], () => {})
  return {
    url: server.url.origin,
    /**
     * Accepts no more requests, gives those under way up to 10 s to finish, then aborts them. Services of this process are
     * still answered.
     */
    closePort,
    /** Stops answering those too; resolves when their requests are answered, or 10 s after the port began to close. */
    leave,
    stop: async () => void (await Promise.all([leave(), closePort()])),
  }
}

function listenProblem(cause: unknown, host: string, port: number, name: string): string {
  const code = codeOf(cause)
  if (code === 'EADDRINUSE') return `${name}: port ${port} is already in use; stop what uses it or choose another port`
  if (code === 'EACCES') return `${name}: port ${port} may not be opened by this user; choose one above 1023`
  return `${name} could not listen on ${host}:${port}: ${messageOf(cause)}`
}
