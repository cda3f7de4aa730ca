import { about, nullable, oneOf, type Static, t, timestamp, uuid } from './schema'

/** decisions, Notification types. */
const notificationTypes = [
  'payment.created',
  'payment.accepted',
  'payment.rejected',
  'payment.executed',
  'payment.cancelled',
  'transaction.status_updated',
] as const
export type NotificationType = (typeof notificationTypes)[number]

export const notificationType = () =>
  about(
    'What happened: `payment.…` to a payment between banks at its main stations, `transaction.status_updated` to a ' +
      'payment at the others and to a transaction of the core ledger at all of them',
    oneOf(notificationTypes),
  )

/** The payment or transaction after the event. */
export const EventData = t.Object(
  {
    transactionId: about('The id of the payment or transaction', uuid()),
    type: about('Its kind, such as DEPOSIT, WITHDRAWAL or TRANSFER', t.String()),
    status: about('Its status after the event', t.String()),
    amount: about('A decimal string in the unit of the currency or asset', t.String()),
    currency: about('The ISO 4217 code of the currency, or the code of the asset', t.String()),
    fromParticipant: about('The id of the participant that pays; null where it is not known', nullable(t.String())),
    toParticipant: about('The id of the participant that receives; null where it is not known', nullable(t.String())),
    returns: about(
      'Of a withdrawal that sends a deposit back to its source, which no account pays: the id of that deposit',
      t.Optional(uuid()),
    ),
  },
  { title: 'EventData' },
)
export type EventData = Static<typeof EventData>

/** An event (spec 3, Notification event). */
export const Event = t.Object(
  {
    id: uuid(),
    type: notificationType(),
    timestamp: about('When it was recorded; every event has a later one than the event before', timestamp()),
    data: about('The payment or transaction as the event has left it', EventData),
  },
  { title: 'Event' },
)
export type Event = Static<typeof Event>
