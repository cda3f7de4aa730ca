/** Requests that another service of this machine sent without a connection that has an address. */
const ofThisMachine = new WeakSet<Request>()

/** Marks a request that came within the process, or by the service's socket, which only its own user can open. */
export function asOfThisMachine(request: Request): Request {
  ofThisMachine.add(request)
  return request
}

interface Connections {
  requestIP(request: Request): { address: string } | null
}

/**
 * The address that a request's connection comes from: the loopback's for one that came without. Null when it is not known
 * any more, because the caller has hung up.
 */
export const peerAddress = (request: Request, server: Connections | null): string | null =>
  ofThisMachine.has(request) ? '127.0.0.1' : (server?.requestIP(request)?.address ?? null)
