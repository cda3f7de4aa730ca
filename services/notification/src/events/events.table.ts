import { index, integer, json, primaryKey, table, text, timestamp } from '@bursar/store/schema'
import type { EventData, EventType } from './events.model'

/** Notification events (spec 3, Notification event). They are never changed. */
export const events = table(
  'events',
  {
    /** No two are the same, and none is given below one that was given before (record-event.ts). */
    timestamp: timestamp().primaryKey(),
    /** UUID v7 of that timestamp: its order is the same. */
    id: text().notNull(),
    type: text().$type<EventType>().notNull(),
    data: json<EventData>().notNull(),
    /** That of the data. */
    transactionId: text(),
  },
  (table) => [index('events_of_transaction').on(table.transactionId, table.timestamp)],
)

/**
 * The events of each list that can be asked for, numbered without a gap: what follows a moment is counted by taking one
 * number from another, however many there are. An event stands in the list of all, in that of its type, and in both of
 * each participant that takes part.
 */
export const listedEvents = table(
  'listed_events',
  {
    /** Whose list; '' for everybody's. */
    participantId: text().notNull(),
    /** The type that the list is of; '' for all types. */
    type: text().notNull(),
    timestamp: timestamp().notNull(),
    /** Consecutive numbers in the order of the timestamps; they start anew where retention has emptied a list. */
    number: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.participantId, table.type, table.timestamp] }),
    index('listed_events_timestamp').on(table.timestamp),
  ],
)
