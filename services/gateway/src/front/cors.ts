import { fail } from '../errors'

const nothing: Readonly<Record<string, string>> = {}

const exposed = 'x-request-id, ratelimit, ratelimit-policy, retry-after, idempotent-replayed, allow'
const allowed = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, x-api-key, idempotency-key, x-idempotency-key, x-request-id, last-event-id',
  'access-control-max-age': '600',
}

/**
 * Access of pages of other origins. Credentials come in headers that a page must set itself, never in cookies:
 * `Access-Control-Allow-Credentials` is not sent. `origins` may contain `*`.
 */
export function createCors(origins: readonly string[]) {
  const known = new Set(origins.map((origin) => origin.toLowerCase()))
  const isOpen = known.has('*')
  /** Headers for the answer to this request. Fails (400) for a page of an origin that may not call. */
  function check({ headers, url }: Request): Readonly<Record<string, string>> {
    const origin = headers.get('origin')
    if (origin === null) {
      if (!isCrossSite(headers) || isOpen) return nothing
      throw refused()
    }
    if (isOwn(origin, url)) return nothing
    if (!isOpen && !known.has(origin.toLowerCase())) throw refused()
    return {
      'access-control-allow-origin': isOpen ? '*' : origin,
      'access-control-expose-headers': exposed,
      ...(isOpen ? {} : { vary: 'origin' }),
    }
  }
  return {
    check,
    /** The answer to a preflight request; null for any other request. Fails as `check`. */
    preflight(request: Request): Response | null {
      if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return null
      return new Response(null, { status: 204, headers: { ...check(request), ...allowed } })
    },
  }
}

const refused = () =>
  fail('INVALID_REQUEST', { message: 'Pages of this origin may not call; CORS_ORIGINS lists those that may' })

/** A form or an image of another site sends no Origin with a GET; a followed link is a navigation. */
const isCrossSite = (headers: Headers): boolean => {
  const site = headers.get('sec-fetch-site')
  return (site === 'cross-site' || site === 'same-site') && headers.get('sec-fetch-mode') !== 'navigate'
}

/** Compared without the scheme, because a TLS proxy changes it. */
const isOwn = (origin: string, url: string): boolean => {
  const start = url.indexOf('//') + 2
  const host = url.slice(start, url.indexOf('/', start))
  return origin.slice(origin.indexOf('//') + 2).toLowerCase() === host.toLowerCase()
}
