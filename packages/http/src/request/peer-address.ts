/** Requests from this machine without a connection address. */
const ofThisMachine = new WeakSet<Request>()

/** Marks a request from within the process, or through the service's unix socket, which only its own user can open. */
export function asOfThisMachine(request: Request): Request {
  ofThisMachine.add(request)
  return request
}

interface Connections {
  requestIP(request: Request): { address: string } | null
}

/**
 * The address of a request's connection: the loopback address for one without. Null if unknown, because the caller has
 * hung up.
 */
export const peerAddress = (request: Request, server: Connections | null): string | null =>
  ofThisMachine.has(request) ? '127.0.0.1' : (server?.requestIP(request)?.address ?? null)
