import { type BlockList, isIP, isIPv6 } from 'node:net'
import { addressList, isListed } from '@bursar/http'

/** Finds the address that a request comes from. */
export type CallerAddress = (peer: string | null, forwardedFor: string | null) => string

/**
 * The connection's own, except where a trusted proxy made it: then the last entry of X-Forwarded-For that is no trusted
 * proxy's. What stands before that entry was the caller's to write.
 */
export function callerAddress(trustedProxies: readonly string[]): CallerAddress {
  if (trustedProxies.length === 0) return (peer) => plain(peer)
  const trusted = addressList(trustedProxies)
  return (peer, forwardedFor) => lastForeign(trusted, [...(forwardedFor?.split(',') ?? []), plain(peer)])
}

function lastForeign(trusted: BlockList, hops: readonly string[]): string {
  let place = hops.length - 1
  while (place > 0 && isListed(trusted, plain(hops[place]?.trim() ?? null))) place -= 1
  return plain(hops[place]?.trim() ?? null)
}

function plain(address: string | null): string {
  const text = address?.replace(/^::ffff:/, '') ?? ''
  return isIP(text) === 0 ? 'unknown' : text
}

/** Under which address anonymous requests are counted: of IPv6, its network, of which one caller has all addresses. */
export function countedAddress(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const front = head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0')
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`
}
