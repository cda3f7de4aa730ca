import { errorResponse, requestIdFrom, type Servable } from '@bursar/http'
import type { Config } from './config'
import { fail } from './errors'
import { mostBytes } from './proxy/body-limits'
import type { AnswerForService } from './proxy/proxy'
import { type Bridge, socketHandlers } from './proxy/sockets'
import { partsOf } from './routing/target'

/** What answers requests that are for no service. */
export interface Pages {
  handle(request: Request): Response | Promise<Response>
}

/** Answers every request of the gateway's port. */
export interface Front extends Servable {
  handle(request: Request): Promise<Response>
}

/** A connection on which nothing happens is closed after so long; a service may take its time for an answer. */
const idleSecondsFor = (upstreamTimeoutMs: number): number => Math.max(60, Math.ceil(upstreamTimeoutMs / 1000) + 20)

/** For requests that came by no connection: tests. */
const unconnected = { peer: null, upgrade: () => false }

/**
 * The server in front of Elysia: a request that only passes through needs no router. Bun hangs up on bodies that no
 * route takes; the proxy refuses, in words, what its route does not take.
 */
export function createFront(
  { upstreamTimeoutMs }: Pick<Config, 'upstreamTimeoutMs'>,
  answerForService: AnswerForService,
  pages: Pages,
): Front {
  const front: Front = {
    server: null,
    handle: async (request) => (await answerForService(request, unconnected)) ?? (await pages.handle(request)),
    listen({ hostname, port }) {
      front.server = Bun.serve<Bridge>({
        hostname,
        port,
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
          const answer = answerForService(request, connection)
          // Bun wants no answer for a request that has become a WebSocket.
          if (answer) return answer.then((response) => response ?? undefined)
          return isClosedTo(peer, request) ? hidden(request) : pages.handle(request)
        },
      })
    },
  }
  return front
}

/** Figures are for who runs the gateway: whoever reads them on this machine, not through a proxy in front. */
function isClosedTo(peer: string | null, { url, headers }: Request): boolean {
  if (!/^(\/v1)?\/metrics\/?$/.test(partsOf(url).path)) return false
  return headers.has('x-forwarded-for') || !/^(::ffff:)?127\.|^::1$/.test(peer ?? '')
}

const hidden = ({ url, headers }: Request): Response => {
  const context = { id: requestIdFrom(headers.get('x-request-id')), path: partsOf(url).path, route: null, body: '' }
  return errorResponse('object', fail('NOT_FOUND'), context)
}
