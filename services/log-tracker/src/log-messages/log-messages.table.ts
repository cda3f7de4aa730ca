import {
  index,
  integer,
  json,
  lineTable,
  primaryKey,
  sql,
  table,
  text,
  timestamp,
  uniqueIndex,
} from '@bursar/store/schema'

/** Each existing combination of service, event type and status, with its number of messages. Some hundred rows. */
export const logSeries = table(
  'log_series',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    service: text().notNull(),
    eventType: text().notNull(),
    status: text().notNull(),
    messages: integer().notNull(),
  },
  (table) => [uniqueIndex('log_series_names').on(table.service, table.eventType, table.status)],
)

/** The messages, in order of arrival. Each index alone gives the order of a page. */
export const logMessages = table(
  'log_messages',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    seriesId: integer().notNull(),
    requestId: text().notNull(),
    /** The transaction or payment in the metadata; null if there is none. */
    transactionId: text(),
    timestamp: timestamp().notNull(),
    metadata: json<Record<string, unknown>>().notNull(),
  },
  (table) => [
    index('log_messages_timestamp').on(table.timestamp, table.seq, table.seriesId),
    index('log_messages_series').on(table.seriesId, table.timestamp, table.seq),
    index('log_messages_request').on(table.requestId, table.timestamp, table.seq, table.seriesId),
    index('log_messages_transaction')
      .on(table.transactionId, table.timestamp, table.seq, table.seriesId)
      .where(sql`${table.transactionId} is not null`),
  ],
)

/** Messages that are not stored and counted yet: one commit after another does that. */
export const waitingMessages = lineTable('waiting_messages')

/** Periods of about equally many messages each: from `start` to the next block's start. */
export const timeBlocks = table('time_blocks', {
  start: timestamp().primaryKey(),
  messages: integer().notNull(),
})

/**
 * The number of messages of a time block by service, event type and status, and every combination of them: one row
 * per possible filter. An empty name means all.
 */
export const timeBlockCounts = table(
  'time_block_counts',
  {
    block: timestamp().notNull(),
    service: text().notNull(),
    eventType: text().notNull(),
    status: text().notNull(),
    messages: integer().notNull(),
  },
  // A commit touches few pages: counts of the same time are stored together.
  (table) => [primaryKey({ columns: [table.block, table.service, table.eventType, table.status] })],
)
