import { type AppError, failCommon } from '../errors/errors'
import { originOf } from '../peers/fetch-peer'

/** The host names that a service accepts besides the loopback's: its `HOST` and `ALLOWED_HOSTS`. */
export type Hosts = ReadonlySet<string>

/**
 * Refuses requests that a browser sends for a page of another site, or to a foreign host name (DNS rebinding):
 * services are called by programs, and only the gateway speaks to browsers (decisions, Browsers). Null for everything
 * else. `url` is as received: its host is the request's `Host`; without one it is only a path.
 */
export function foreignPage({ headers }: Request, url: string, hosts: Hosts): AppError | null {
  const host = hostOf(url)
  if (!isLoopback(host) && !hosts.has(host)) {
    return failCommon('INVALID_REQUEST', {
      message: `Host ${host} is not served here; ALLOWED_HOSTS names the hosts that are`,
    })
  }
  const site = headers.get('sec-fetch-site')
  if (site === 'cross-site' || site === 'same-site') return failCommon('INVALID_REQUEST', { message: otherSite })
  const origin = headers.get('origin')
  if (origin !== null && origin !== originOf(url)) return failCommon('INVALID_REQUEST', { message: otherSite })
  return null
}

const otherSite = 'Pages of other sites cannot call this service; they call the gateway'

/** `http://[::1]:4001/v1` → `[::1]` */
function hostOf(url: string): string {
  if (url.startsWith('/')) return 'localhost'
  const start = url.indexOf('//') + 2
  const end = url.indexOf('/', start)
  const place = end < 0 ? url.slice(start) : url.slice(start, end)
  return place.replace(/:\d*$/, '').toLowerCase()
}

/** An address or name of this machine itself. */
export const isLoopback = (host: string): boolean =>
  host === '127.0.0.1' ||
  host === 'localhost' ||
  host === '[::1]' ||
  host === '::1' ||
  /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
