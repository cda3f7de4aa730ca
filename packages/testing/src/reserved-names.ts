import dns from 'node:dns/promises'

const reserved = /(^|\.)(example|invalid|test)$/i
const asked = dns.lookup
let isKnown = false

/**
 * Makes this process know that names which are reserved for documents and tests (RFC 2606) have no address: a resolver
 * says so as well, but some answer late, or not at all.
 */
export function knowReservedNames(): void {
  if (isKnown) return
  isKnown = true
  dns.lookup = ((host: string, options: object) => {
    if (!reserved.test(host)) return asked(host, options)
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND', hostname: host })
    return Promise.reject(error)
  }) as typeof dns.lookup
}
