import { addressList, isListed, isLoopback } from '@bursar/http'

/** How a request came. */
export interface Arrival {
  /** That the caller comes from. */
  readonly address: string
  /** Whether its browser takes cookies that need TLS: with TLS in front, and on this machine. */
  readonly isSecure: boolean
}

/** Kept beside requests on their way to the router, which knows nothing of their connection. */
export type Arrivals = WeakMap<Request, Arrival>

/** Whether a request came by TLS, as a trusted proxy in front says, or to a name of this machine. */
export function secureArrivals(trustedProxies: readonly string[]): (request: Request, peer: string | null) => boolean {
  const trusted = addressList(trustedProxies)
  return ({ url, headers }, peer) => {
    if (URL.canParse(url) && isLoopback(new URL(url).hostname)) return true
    const isTrusted = peer !== null && isListed(trusted, peer.replace(/^::ffff:/, ''))
    return isTrusted && headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase() === 'https'
  }
}
