import { type Caller, clientAddress, type Identity, peerAddress } from '@bursar/http'
import type { Origin } from '../sessions/sessions'

/** The part of Elysia's context with the origin of a request. */
interface Incoming {
  request: Request
  server: { requestIP(request: Request): { address: string } | null } | null
}

/**
 * The client address of a request, from the gateway's signed token, else from the connection; null if there is
 * none.
 */
export function callerAddress({ request, server }: Incoming, caller: Caller | null): string | null {
  if (caller?.kind === 'anonymous') return caller.subject
  return clientAddress(peerAddress(request, server), request.headers.get('x-forwarded-for'))
}

const longestAgent = 255

/** The User-Agent of a request, cleaned for display. */
const userAgentOf = ({ headers }: Request): string | null =>
  headers
    .get('user-agent')
    ?.replace(/[^\x20-\x7e]/g, '')
    .slice(0, longestAgent) || null

/** The origin of a log-in. */
export const originOf = async (identity: Identity, incoming: Incoming): Promise<Origin> => ({
  address: callerAddress(incoming, await identity.read(incoming.request)),
  userAgent: userAgentOf(incoming.request),
})
