import type { Servable } from '@bursar/http'
import type { GatewayDeps } from './deps'
import { mostBytes } from './proxy/body-limits'
import type { AnswerForService } from './proxy/proxy'

/** What answers requests that are for no service. */
export interface Pages {
  handle(request: Request): Response | Promise<Response>
}

/** Answers every request of the gateway's port. */
export interface Front extends Servable {
  handle(request: Request): Promise<Response>
}

/** Longer than a service may take; a connection that sends nothing is closed after so long. */
const idleSeconds = 60

/**
 * The server in front of Elysia: a request that only passes through needs no router. Bun hangs up on bodies that no
 * route takes; the proxy refuses, in words, what its route does not take.
 */
export function createFront(_deps: GatewayDeps, proxy: AnswerForService, pages: Pages): Front {
  const front: Front = {
    server: null,
    handle: async (request) => await (proxy(request, null) ?? pages.handle(request)),
    listen({ hostname, port }) {
      front.server = Bun.serve({
        hostname,
        port,
        reusePort: false,
        development: false,
        idleTimeout: idleSeconds,
        maxRequestBodySize: 2 * mostBytes,
        fetch: (request, server) => proxy(request, server.requestIP(request)?.address ?? null) ?? pages.handle(request),
      })
    },
  }
  return front
}
