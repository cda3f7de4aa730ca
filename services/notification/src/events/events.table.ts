import { index, inOneTree, integer, json, lineTable, primaryKey, table, text, timestamp } from '@bursar/store/schema'
import type { EventData, EventType } from './events.model'

/** Notification events (spec 3, Notification event). They are never changed. */
export const events = table(
  'events',
  {
    /** Unique, and later than every earlier event's (record-events.ts). */
    timestamp: timestamp().primaryKey(),
    /** UUID v7 of that timestamp: it sorts the same. */
    id: text().notNull(),
    type: text().$type<EventType>().notNull(),
    data: json<EventData>().notNull(),
    /** Copied from the data. */
    transactionId: text(),
  },
  (table) => [index('events_of_transaction').on(table.transactionId, table.timestamp)],
)

/** What is to be recorded: one commit after another gives it its timestamps and numbers. */
export const waitingEvents = lineTable('waiting_events')

/**
 * The events of each list that can be requested, numbered without gaps: the events after a time are counted by
 * subtracting two numbers, however many there are. An event is in the list of all, in that of its type, and in both
 * lists of each participant of the transaction.
 */
export const listedEvents = inOneTree(
  table(
    'listed_events',
    {
      /** The list's participant; '' for the list of all. */
      participantId: text().notNull(),
      /** The list's type; '' for all types. */
      type: text().notNull(),
      timestamp: timestamp().notNull(),
      /** Consecutive numbers in the order of the timestamps; they restart when retention has emptied a list. */
      number: integer().notNull(),
    },
    (table) => [primaryKey({ columns: [table.participantId, table.type, table.timestamp] })],
  ),
)
