import { type Caller, clientAddress } from '@bursar/http'

/** What of Elysia's context says where a request comes from. */
interface Incoming {
  request: Request
  server: { requestIP(request: Request): { address: string } | null } | null
}

/**
 * Where a request comes from, as the gateway says in its signed token, else as the connection does; null where there is
 * none.
 */
export function callerAddress({ request, server }: Incoming, caller: Caller | null): string | null {
  if (caller?.kind === 'anonymous') return caller.subject
  const peer = server?.requestIP(request)?.address ?? null
  return clientAddress(peer, request.headers.get('x-forwarded-for'))
}

const longestAgent = 255

/** The program that the request says it comes from, as far as it can be shown. */
export const userAgentOf = ({ headers }: Request): string | null =>
  headers
    .get('user-agent')
    ?.replace(/[^\x20-\x7e]/g, '')
    .slice(0, longestAgent) || null
