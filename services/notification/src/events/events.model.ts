import { Event, type NotificationType, notificationType } from '@bursar/contracts/notification'
import { about, type Static, t } from '@bursar/contracts/schema'
import { offsetQuery, pageOf, queryTime, queryUuid } from '@bursar/http'

export { type Event, EventData } from '@bursar/contracts/notification'
export type EventType = NotificationType

export const EventPage = pageOf(Event)

/** GET /events (spec 3, Notification service). */
export const EventQuery = t.Object({
  ...offsetQuery,
  since: t.Optional(about('Only events after this time: the `timestamp` of the last event that you have', queryTime())),
  type: t.Optional(notificationType()),
  transactionId: t.Optional(about('Only events of this payment or transaction', queryUuid())),
})
export type EventQuery = Static<typeof EventQuery>
