import { service } from '@bursar/http'
import type { NotificationDeps } from './deps'
import { eventRoutes } from './events/events.routes'

/** The notification service (spec 3, Notification service): the events of payments and transactions, for polling. */
export const createApp = (deps: NotificationDeps) =>
  service({
    ...deps,
    name: 'notification',
    description: 'Events of payments and transactions: polled here, and delivered to webhook endpoints.',
    shape: 'object',
    tags: { Events: 'Events of payments and transactions, oldest first' },
  }).use(eventRoutes(deps))
