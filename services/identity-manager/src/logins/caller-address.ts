import { isIPv6 } from 'node:net'
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

/** What one customer of a provider has: an IPv4 address, or the first half of an IPv6 address. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const before = groups(head)
  const missing = tail === undefined ? 0 : 8 - before.length - groups(tail).length
  const all = [...before, ...Array<string>(Math.max(0, missing)).fill('0'), ...groups(tail ?? '')]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

const longestAgent = 255

/** The program that the request says it comes from, as far as it can be shown. */
export const userAgentOf = ({ headers }: Request): string | null =>
  headers
    .get('user-agent')
    ?.replace(/[^\x20-\x7e]/g, '')
    .slice(0, longestAgent) || null
