import { index, integer, json, primaryKey, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Each combination of service, event type and status that there is, with how many messages have it. Some hundred rows. */
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

/** The messages, in the order of their arrival. Every index ends so that it alone gives a page's order. */
export const logMessages = table(
  'log_messages',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    seriesId: integer().notNull(),
    requestId: text().notNull(),
    /** The transaction or payment that the metadata names; null where it names none. */
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

/** Time cut into stretches of about as many messages each: from `start` up to the next one's start. */
export const timeBlocks = table('time_blocks', {
  start: timestamp().primaryKey(),
  messages: integer().notNull(),
})

/**
 * How many messages a time block has of each service, event type and status, and of every combination of them: one row
 * for any filter there is. An empty name stands for all.
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
  // A commit touches few pages: what is counted at one time stands together.
  (table) => [primaryKey({ columns: [table.block, table.service, table.eventType, table.status] })],
)
