import { OutboundError } from './outbound-error'

/** One request of a redirect chain, before an address is chosen for it. */
export interface Hop {
  url: URL
  method: string
  headers: Headers
  body: string | Uint8Array<ArrayBuffer> | undefined
}

const redirects = new Set([301, 302, 303, 307, 308])

/** Headers that may be sent to another origin: an allow-list, because a key may be in any header. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

/** Whether an answer is a redirect. */
export const isRedirect = (response: Response): boolean =>
  redirects.has(response.status) && response.headers.has('location')

/**
 * The request that a redirect asks for: POST becomes GET as in browsers, and another origin gets no header that could
 * hold a credential. Throws `blocked` if it leads from https to http.
 */
export function nextHop(hop: Hop, response: Response): Hop {
  const url = parseUrl(response.headers.get('location') ?? '', hop.url)
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new OutboundError('blocked', `${hop.url.host} redirects from https to http`)
  }
  const headers = new Headers(hop.headers)
  if (url.origin !== hop.url.origin) {
    for (const name of [...headers.keys()]) if (!harmlessHeaders.has(name)) headers.delete(name)
  }
  const keeps = response.status >= 307 || hop.method === 'GET' || hop.method === 'HEAD'
  if (keeps || (response.status !== 303 && hop.method !== 'POST')) return { ...hop, url, headers }
  headers.delete('content-type')
  return { url, headers, method: 'GET', body: undefined }
}

/** Parses a URL that may be requested. Throws `invalid-url`, never repeating the URL. */
export function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url) throw new OutboundError('invalid-url', 'The URL cannot be read')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('invalid-url', 'The URL must begin with http:// or https://')
  }
  if (url.username || url.password) throw new OutboundError('invalid-url', 'The URL must not hold a user or a password')
  url.hash = ''
  return url
}
