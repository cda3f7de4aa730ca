import { addressList, isListed, isLoopback } from '@bursar/http'

/** How a request arrived. */
export interface Arrival {
  /** The client's IP address. */
  readonly address: string
  /** Whether its browser accepts Secure cookies: behind TLS, and on this machine. */
  readonly isSecure: boolean
}

/** Stored beside requests for the router, which does not know their connection. */
export type Arrivals = WeakMap<Request, Arrival>

export const arrivalOf = ({ arrivals }: { arrivals: Arrivals }, request: Request): Arrival =>
  arrivals.get(request) ?? { address: 'unknown', isSecure: false }

/** Whether a request came by TLS, to the gateway's own port for it or according to a trusted proxy, or to a name of this machine. */
export function secureArrivals(trustedProxies: readonly string[]): (request: Request, peer: string | null) => boolean {
  const trusted = addressList(trustedProxies)
  return ({ url, headers }, peer) => {
    if (URL.canParse(url) && (url.startsWith('https:') || isLoopback(new URL(url).hostname))) return true
    return (
      isListed(trusted, peer) && headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase() === 'https'
    )
  }
}
