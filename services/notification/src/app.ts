import { service } from '@bursar/http'
import type { NotificationDeps } from './deps'
import { eventRoutes } from './events/events.routes'

/** The notification service (spec 3, Notification service): what happened to payments and transactions, to be polled. */
export const createApp = (deps: NotificationDeps) =>
  service({
    ...deps,
    name: 'notification',
    description: 'What happened to payments and transactions: polled here, and delivered to webhook endpoints.',
    shape: 'object',
    tags: { Events: 'What happened, oldest first' },
  }).use(eventRoutes(deps))
