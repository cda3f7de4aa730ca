import {
  index,
  integer,
  json,
  packedText,
  packText,
  primaryKey,
  table,
  text,
  timestamp,
  unpackText,
} from '@bursar/store/schema'
import type { EventData, EventType } from './events.model'

/** Types are stored by their place here, which stays; every type has one. */
const types = Object.keys({
  'payment.created': true,
  'payment.accepted': true,
  'payment.rejected': true,
  'payment.executed': true,
  'payment.cancelled': true,
  'transaction.status_updated': true,
} satisfies Record<EventType, true>) as EventType[]
/** A type as lists of events store it; '' for all types. */
export const listedType = (type: EventType | ''): string => (type === '' ? '' : String(types.indexOf(type)))
const packedType = {
  pack: (type: EventType): number => types.indexOf(type),
  unpack: (stored: unknown): EventType => types.at(stored as number) as EventType,
}
/** Ids in their short form, without the names: they would be most of an event's row. */
type Packed = [
  ...texts: [transactionId: string, type: string, status: string, amount: string, currency: string],
  fromParticipant: string | null,
  toParticipant: string | null,
  returns?: string,
]

const packedData = {
  pack: (data: EventData): Packed => {
    const { transactionId, type, status, amount, currency, fromParticipant, toParticipant, returns } = data
    const [from, to] = [fromParticipant, toParticipant].map((id) => (id === null ? null : packText(id)))
    const all: Packed = [packText(transactionId), type, status, amount, currency, from ?? null, to ?? null]
    if (returns !== undefined) all.push(packText(returns))
    return all
  },
  unpack(stored: unknown): EventData {
    const [transactionId, type, status, amount, currency, from, to, returns] = stored as Packed
    return {
      transactionId: unpackText(transactionId),
      type,
      status,
      amount,
      currency,
      fromParticipant: from === null ? null : unpackText(from),
      toParticipant: to === null ? null : unpackText(to),
      ...(returns !== undefined && { returns: unpackText(returns) }),
    }
  },
}

/** Notification events (spec 3, Notification event). They are never changed. */
export const events = table(
  'events',
  {
    /** Unique, and later than every earlier event's (record-event.ts). */
    timestamp: timestamp().primaryKey(),
    /** UUID v7 of that timestamp: it sorts the same. */
    id: packedText().notNull(),
    type: json<EventType>(packedType).notNull(),
    data: json<EventData>(packedData).notNull(),
    /** Copied from the data. */
    transactionId: packedText(),
  },
  (table) => [index('events_of_transaction').on(table.transactionId, table.timestamp)],
)

/**
 * The events of each list that can be requested, numbered without gaps: the events after a time are counted by
 * subtracting two numbers, however many there are. An event is in the list of all, in that of its type, and in both
 * lists of each participant of the transaction.
 */
export const listedEvents = table(
  'listed_events',
  {
    /** The list's participant; '' for the list of all. */
    participantId: text().notNull(),
    /** The list's type (`listedType`); '' for all types. */
    type: text().notNull(),
    timestamp: timestamp().notNull(),
    /** Consecutive numbers in the order of the timestamps; they restart when retention has emptied a list. */
    number: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.participantId, table.type, table.timestamp] }),
    index('listed_events_timestamp').on(table.timestamp),
  ],
)
