import type { Servable } from '@bursar/http'
import type { GatewayDeps } from './deps'
import { createFront, type Front } from './front'
import { createPages } from './pages/pages.routes'
import { createProxy } from './proxy/proxy'

/** The gateway: what is for a service goes through the proxy, all else are pages of its own. */
export const createApp = (deps: GatewayDeps): Front & Servable =>
  createFront(deps.config, createProxy(deps), createPages(deps))
