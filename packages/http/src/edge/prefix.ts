/**
 * Removes a service's version prefix from a URL (`/v1/rates` and `/rates` are one route; decisions, Prefix). The prefix
 * must be followed by `/`, `?` or nothing. Returns the same string if there is none. Longer prefixes come first.
 */
export function withoutPrefix(url: string, prefixes: readonly string[]): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  for (const prefix of prefixes) {
    if (!url.startsWith(prefix, start)) continue
    const next = url.charCodeAt(start + prefix.length)
    if (next === slash) return url.slice(0, start) + url.slice(start + prefix.length)
    if (next === questionMark || Number.isNaN(next)) return `${url.slice(0, start)}/${url.slice(start + prefix.length)}`
  }
  return url
}

/** The path of an absolute URL, without its query. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start < 0) return '/'
  const end = url.indexOf('?', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

const slash = 47
const questionMark = 63
