import { type BlockList, isIP } from 'node:net'
import { addressList, isListed } from '@bursar/http'

/**
 * The connection's address, except behind a trusted proxy: then the last entry of X-Forwarded-For that is not a trusted
 * proxy's. Earlier entries could be forged by the caller. If that entry is not an address, the request counts
 * as one of the proxy that wrote it.
 */
export function callerAddress(trustedProxies: readonly string[]) {
  const trusted = addressList(trustedProxies)
  return (peer: string | null, forwardedFor: string | null): string => {
    const nearest = addressIn(peer ?? '')
    if (trustedProxies.length === 0 || nearest === null) return nearest ?? 'unknown'
    const entries = (forwardedFor ?? '').split(',').filter((entry) => entry.trim() !== '')
    return lastForeign(trusted, entries, nearest)
  }
}

function lastForeign(trusted: BlockList, entries: readonly string[], peer: string): string {
  let found = peer
  for (const entry of entries.toReversed()) {
    if (!isListed(trusted, found)) break
    const before = addressIn(entry)
    if (before === null) break
    found = before
  }
  return found
}

/** The address in an entry, normalised: proxies write `ip`, `ip:port`, `[v6]`, `[v6]:port`. Null for none. */
function addressIn(entry: string): string | null {
  // Most are, and need no look at the other forms.
  if (isIP(entry) === 4) return entry
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? []
  const [, withPort] = /^([\d.]+):\d{1,5}$/.exec(text) ?? []
  const address = (bracketed ?? withPort ?? text).replace(/%.*$/, '')
  const family = isIP(address)
  if (family === 0 || (bracketed !== undefined && family !== 6)) return null
  if (family === 4) return address
  const normal = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(normal) ?? []
  return high === undefined || low === undefined ? normal : [high, low].flatMap(bytesOf).join('.')
}

function bytesOf(word: string): number[] {
  const value = Number.parseInt(word, 16)
  return [value >> 8, value & 255]
}

/** The rate-limit key of anonymous requests: for IPv6 its network, since one caller has all its addresses. */
export const countedAddress = (address: string): string => (isIP(address) === 6 ? networkOf(address, 4) : address)

/** For IPv6 its site, which may have 65,536 networks; null for others. */
export const countedSite = (address: string): string | null => (isIP(address) === 6 ? networkOf(address, 3) : null)

/** The network of an IPv6 address by so many of its words. */
function networkOf(address: string, words: number): string {
  const [head = '', tail] = address.split('::')
  const front = head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0')
  return `${[...front, ...zeros, ...back].slice(0, words).join(':')}::/${16 * words}`
}
