import http from 'node:http'
import { messageOf } from '@bursar/contracts/log'
import { type Drain, errorResponse, isLoopback, requestIdFrom, type Servable } from '@bursar/http'
import type { Config } from './config'
import { fail } from './errors'
import { partsOf } from './front/target'
import { mostBytes } from './proxy/body-limits'
import type { AnswerForService } from './proxy/proxy'
import { type Bridge, socketHandlers } from './proxy/sockets'
import type { TlsSettings } from './tls'

/** The handler of requests that are not for a service. */
export interface Pages {
  handle(request: Request): Response | Promise<Response>
}

/** Answers every request of the gateway's port. */
export interface Front extends Servable {
  handle(request: Request): Promise<Response>
}

/** The idle timeout of connections; longer than a service may take for an answer. */
const idleSecondsFor = (upstreamTimeoutMs: number): number => Math.max(60, Math.ceil(upstreamTimeoutMs / 1000) + 20)

/** For requests without a connection, in tests. */
const unconnected = { peer: null, upgrade: () => false }

/**
 * The server in front of Elysia: a forwarded request needs no router. Bun closes connections with bodies that no
 * route reads; the proxy refuses them with a message.
 */
export function createFront(
  { upstreamTimeoutMs, publicHosts, tls }: Pick<Config, 'upstreamTimeoutMs' | 'publicHosts' | 'tls'>,
  answerForService: AnswerForService,
  pages: Pages,
  drain: Drain,
): Front {
  const front: Front = {
    server: null,
    handle: async (request) => (await answerForService(request, unconnected)) ?? (await pages.handle(request)),
    listen({ hostname, port }) {
      // Beyond this, and beyond 198 fields, Bun's parser refuses by itself, without a body: no setting changes that.
      Object.assign(http, { maxHeaderSize: Math.max(http.maxHeaderSize, 16 * mostHeaderBytes) })
      const open = (place: Place) =>
        Bun.serve<Bridge>({
          ...place,
          reusePort: false,
          development: false,
          idleTimeout: idleSecondsFor(upstreamTimeoutMs),
          maxRequestBodySize: 2 * mostBytes,
          websocket: socketHandlers,
          fetch(request, server) {
            const peer = server.requestIP(request)?.address ?? null
            const connection = {
              peer,
              upgrade: (asked: Request, bridge: Bridge) => server.upgrade(asked, { data: bridge }),
            }
            if (headerBytesOf(request) > mostHeaderBytes) return refusal(request, 'HEADERS_TOO_LARGE')
            if (!isServedAs(request.url, publicHosts))
              return refusal(request, 'INVALID_REQUEST', 'This host is not served here')
            drain.arrived()
            const answer = answerForService(request, connection)
            // Bun wants no answer for a request that has become a WebSocket.
            if (answer) return answer.then((response) => (response ? leaving(response, drain) : undefined))
            return isClosedTo(peer, request) ? refusal(request, 'NOT_FOUND') : pages.handle(request)
          },
        })
      const plain = open({ hostname, port })
      front.server = tls ? withTls(plain, () => open(tlsPlace(tls))) : plain
    },
  }
  return front
}

/** Both ports, as one server. */
function withTls(plain: NonNullable<Servable['server']>, open: () => NonNullable<Servable['server']>) {
  try {
    const secure = open()
    return {
      url: plain.url,
      stop: async (closeActiveConnections?: boolean) => {
        await Promise.all([plain, secure].map((each) => each.stop(closeActiveConnections)))
      },
    }
  } catch (cause) {
    void plain.stop(true)
    throw new Error(`the port for TLS (GATEWAY_TLS_PORT) could not be opened: ${messageOf(cause)}`, { cause })
  }
}

/** The place where a server listens. */
interface Place {
  hostname: string
  port: number
  tls?: Bun.TLSOptions
}

const tlsPlace = ({ host, port, cert, key, clientCa }: TlsSettings): Place => ({
  hostname: host,
  port,
  tls: { cert, key, ...(clientCa === null ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true }) },
})

/** While the gateway is ending, each answer closes its connection: the next request comes by another one. */
function leaving(response: Response, drain: Drain): Response {
  if (drain.isEnding()) response.headers.set('connection', 'close')
  return response
}

/** The maximum total size of a request's address and headers. */
const mostHeaderBytes = 16 * 1024

function headerBytesOf({ url, headers }: Request): number {
  let bytes = url.length
  headers.forEach((value, name) => {
    bytes += name.length + value.length
  })
  return bytes
}

/** Headers that proxies add to a request. */
const ofProxies = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** Metrics and routes for commands are for operators: only for callers on this machine, not through a proxy. */
function isClosedTo(peer: string | null, { url, headers }: Request): boolean {
  if (!/^(\/v1)?\/(metrics(\/all)?\/?$|internal(\/|$))/.test(partsOf(url).path)) return false
  return ofProxies.some((name) => headers.has(name)) || !isLoopback(peer?.replace(/^::ffff:/, '') ?? '')
}

/** Whether GATEWAY_HOSTS has the request's host name; loopback names are always allowed, invalid ones never. */
function isServedAs(url: string, publicHosts: readonly string[]): boolean {
  if (publicHosts.length === 0 || url.startsWith('/')) return true
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return publicHosts.includes(hostname) || isLoopback(hostname)
}

function refusal(
  { url, headers }: Request,
  code: 'NOT_FOUND' | 'INVALID_REQUEST' | 'HEADERS_TOO_LARGE',
  message?: string,
): Response {
  const context = { id: requestIdFrom(headers.get('x-request-id')), path: partsOf(url).path, route: null, body: '' }
  return errorResponse('object', fail(code, message === undefined ? {} : { message }), context)
}
