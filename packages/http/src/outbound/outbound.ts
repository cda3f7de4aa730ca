import dns from 'node:dns/promises'
import { unlessAborted } from '../peers/fetch-peer'
import { codeOf } from '../peers/unreachable'
import { type AllowRule, isAddress, mayReach, parseAllowRule } from './outbound-address'
import { BrokenAnswer, readStart, readText } from './outbound-body'
import { type BegunAnswer, OutboundError } from './outbound-error'
import { type Hop, isRedirect, nextHop, parseUrl } from './outbound-redirect'

export { parseAllowList } from './outbound-address'
export { OutboundError, type OutboundReason } from './outbound-error'

export interface OutboundRequest {
  /** GET by default. */
  method?: string
  /** `Host` and headers of the connection are ignored. */
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
  /** For everything together: name resolution, connection, each redirect and the body. */
  timeoutMs: number
  /** The most bytes of the answer's body, uncompressed; 1 MiB by default. */
  maxBytes?: number
  /** If set, only this many bytes of the answer's body are read, however long it is. */
  keepBytes?: number
  /** How many redirects are followed; 3 by default. With 0 the redirect itself is the answer. */
  maxRedirects?: number
  /** Breaks the request off; it then rejects with the signal's reason. */
  signal?: AbortSignal
}

interface OutboundAnswer {
  status: number
  headers: Headers
  text: string
}

export interface Outbound {
  /** Resolves with an answer of any status; rejects with OutboundError if there is no usable answer. */
  request(url: string, request: OutboundRequest): Promise<OutboundAnswer>
}

/** An Outbound that can also check a URL without a request. */
export interface CheckedOutbound extends Outbound {
  /**
   * Checks where the URL leads, without a request. Rejects with OutboundError: `invalid-url`, `blocked`, or
   * `unreachable` if its host has no address.
   */
  check(url: string, options: { timeoutMs: number }): Promise<void>
}

/** The part of Bun's fetch that is used here, so that a test can add its own certificate. */
type FetchPinned = (url: string, init: BunFetchRequestInit) => Promise<Response>

interface Wiring {
  rules: AllowRule[]
  resolve: (host: string) => Promise<string[]>
  fetch: FetchPinned
}

const ownHeaders = ['host', 'connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade']
/** Errors of a request that was not sent: the next address may be tried. */
const neverConnected = new Set(['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'FailedToOpenSocket'])

/**
 * Requests to servers that others name (providers, webhooks), without access to our own network: the name is resolved
 * once, every address must be public, and the request goes to exactly the checked address. `allow`: the entries of
 * `OUTBOUND_ALLOW`; throws if one is invalid.
 */
export function createOutbound(options: {
  allow: string[]
  resolve?: (host: string) => Promise<string[]>
  fetch?: FetchPinned
}): CheckedOutbound {
  const wiring: Wiring = {
    rules: options.allow.map(parseAllowRule),
    resolve: options.resolve ?? lookupAll,
    fetch: options.fetch ?? fetch,
  }
  return {
    request: (text, request) =>
      withinTime(text, request, (url, signal) => follow(wiring, firstHop(url, request), request, signal)),
    check: (text, { timeoutMs }) =>
      withinTime(text, { timeoutMs }, async (url, signal) => {
        await checkedAddresses(wiring, url, signal)
      }),
  }
}

async function withinTime<T>(
  text: string,
  limits: Pick<OutboundRequest, 'timeoutMs' | 'signal'>,
  work: (url: URL, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const url = parseUrl(text)
  const deadline = AbortSignal.timeout(limits.timeoutMs)
  const signal = limits.signal ? AbortSignal.any([deadline, limits.signal]) : deadline
  try {
    signal.throwIfAborted()
    return await work(url, signal)
  } catch (error) {
    if (error instanceof OutboundError) throw error
    if (limits.signal?.aborted) throw limits.signal.reason
    const begun = error instanceof BrokenAnswer ? error.begun : undefined
    if (deadline.aborted) {
      throw new OutboundError('timeout', `${url.host} did not answer within ${limits.timeoutMs} ms`, undefined, begun)
    }
    throw unreachable(url, error instanceof BrokenAnswer ? error.cause : error, begun)
  }
}

async function follow(wiring: Wiring, first: Hop, request: OutboundRequest, signal: AbortSignal) {
  const { maxBytes = 1024 * 1024, maxRedirects = 3 } = request
  let hop = first
  for (let followed = 0; ; followed += 1) {
    const response = await send(wiring, hop, signal)
    if (!isRedirect(response) || maxRedirects === 0) {
      const { status, headers } = response
      const { keepBytes } = request
      const text = keepBytes ? readStart(response, keepBytes) : readText(response, hop.url.host, maxBytes)
      return { status, headers, text: await text }
    }
    await response.body?.cancel()
    if (followed === maxRedirects) {
      throw new OutboundError('unreachable', `${first.url.host} redirects more than ${maxRedirects} times`)
    }
    hop = nextHop(hop, response)
  }
}

/** Sends to the first address that accepts the connection. */
async function send(wiring: Wiring, hop: Hop, signal: AbortSignal): Promise<Response> {
  const host = bareHost(hop.url)
  let failure: unknown
  for (const address of await checkedAddresses(wiring, hop.url, signal)) {
    try {
      return await wiring.fetch(pinnedUrl(hop.url, address), {
        method: hop.method,
        headers: [...hop.headers, ['host', hop.url.host]],
        body: hop.body,
        redirect: 'manual',
        signal,
        ...(isAddress(host) ? {} : { tls: { serverName: host } }),
      })
    } catch (error) {
      failure = error
      if (!neverConnected.has(codeOf(error))) break
    }
  }
  signal.throwIfAborted()
  throw unreachable(hop.url, failure)
}

/**
 * Resolves the host once. A host with one non-public address is refused entirely: that address could be chosen next
 * time.
 */
async function checkedAddresses({ resolve, rules }: Wiring, url: URL, signal: AbortSignal): Promise<string[]> {
  const host = bareHost(url)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const addresses = isAddress(host)
    ? [host]
    : // A look-up cannot be aborted; this only stops waiting for it.
      await unlessAborted(signal, resolve(host)).catch((error) => {
        signal.throwIfAborted()
        throw unreachable(url, error)
      })
  if (addresses.length === 0) throw unreachable(url, undefined)
  if (!addresses.every((address) => mayReach(rules, host, port, address))) {
    throw new OutboundError('blocked', `${url.host} is not a public address, and OUTBOUND_ALLOW does not list it`)
  }
  return addresses
}

const bareHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

function firstHop(url: URL, request: OutboundRequest): Hop {
  let headers: Headers
  try {
    headers = new Headers(request.headers)
  } catch {
    // The reason would repeat the header's value.
    throw new OutboundError('invalid-url', 'The request has a header that cannot be sent')
  }
  for (const name of ownHeaders) headers.delete(name)
  if (!headers.has('user-agent')) headers.set('user-agent', 'Bursar')
  return { url, headers, method: (request.method ?? 'GET').toUpperCase(), body: request.body }
}

function pinnedUrl(url: URL, address: string): string {
  const pinned = new URL(url)
  pinned.hostname = address.includes(':') ? `[${address}]` : address
  return pinned.href
}

/** IPv4 first: many hosts have IPv6 addresses in their DNS and no route to them. */
async function lookupAll(host: string): Promise<string[]> {
  const found = await dns.lookup(host, { all: true })
  return found.toSorted((a, b) => a.family - b.family).map(({ address }) => address)
}

function unreachable(url: URL, error: unknown, begun?: BegunAnswer): OutboundError {
  const code = codeOf(error)
  const what = begun ? 'broke its answer off' : 'could not be reached'
  return new OutboundError('unreachable', `${url.host} ${what}${code ? ` (${code})` : ''}`, code || undefined, begun)
}
