import { searchRoutes, service } from '@bursar/http'
import type { TrackerDeps } from './deps'
import { ledgerHeadRoutes } from './ledger-heads/ledger-heads.routes'
import { logMessageRoutes } from './log-messages/log-messages.routes'
import { searchRequests } from './log-messages/search'
import { socketLimits } from './stream/socket-limits'
import { streamRoutes } from './stream/stream.routes'

/**
 * Longest first. The specification has `/tracker` before the version, and the version before everything (spec 3,
 * Versioning).
 */
const prefixes = ['/tracker/v1', '/v1/tracker', '/tracker', '/v1']

/** The log tracker (spec 3): stores and serves the activity log of all services. */
export function createApp(deps: TrackerDeps) {
  const app = service({
    ...deps,
    name: 'log-tracker',
    description: 'The activity log of all services: what happened, where, and whether it succeeded.',
    shape: 'object',
    tags: { 'Log messages': 'The activity of all services' },
    prefixes,
  })
    .use(logMessageRoutes(deps))
    .use(ledgerHeadRoutes(deps))
    .use(streamRoutes(deps))
    .use(searchRoutes(deps, (sought) => searchRequests(deps.store.read, sought)))
  // One setting for all sockets of a server: Elysia reads it from the listening app, not from a route.
  app.config.websocket = socketLimits
  return app
}
