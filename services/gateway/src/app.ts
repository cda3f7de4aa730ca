import type { Servable } from '@bursar/http'
import { createConsole } from './console/console'
import type { GatewayDeps } from './deps'
import { createPages } from './docs-site/pages.routes'
import { createTokenEndpoint } from './oauth/token-endpoint'
import { createProxy } from './proxy/proxy'
import { createFront, type Front } from './server'

/** The gateway: requests to services go through the proxy, the console has its own entry, the rest are pages. */
export function createApp(deps: GatewayDeps): Front & Servable {
  const answerForConsole = createConsole(deps)
  const answerForClient = createTokenEndpoint(deps)
  const answerForService = createProxy(deps)
  return createFront(
    deps.config,
    (request, connection) =>
      answerForConsole(request, connection) ??
      answerForClient(request, connection) ??
      answerForService(request, connection),
    // They have no port of their own, with which they would be compiled.
    createPages(deps).compile(),
    deps.drain,
  )
}
