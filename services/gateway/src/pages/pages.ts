import { service } from '@bursar/http'
import type { GatewayDeps } from '../deps'

/** The gateway's own pages. */
export const createPages = (deps: GatewayDeps) =>
  service({
    ...deps,
    name: 'gateway',
    description: 'The one door of the platform: it authenticates, limits and routes.',
    shape: 'object',
    // Whoever may call a service is asked by the proxy.
    internalAuth: 'optional',
    speaksToBrowsers: true,
  })
