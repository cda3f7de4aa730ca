import {
  index,
  integer,
  json,
  packedText,
  packText,
  primaryKey,
  sql,
  table,
  text,
  timestamp,
  uniqueIndex,
  unpackText,
} from '@bursar/store/schema'

/** The names that most messages have, by what they are stored as. A letter once given keeps its name. */
const names = new Map(
  Object.entries({
    a: 'transaction_id',
    b: 'action',
    c: 'type',
    d: 'transaction_status',
    e: 'customer_id',
    f: 'account_id',
    g: 'asset_id',
    h: 'asset_code',
    i: 'network',
    j: 'amount',
    k: 'tx_hash',
    l: 'detail',
    m: 'wallet_status',
    n: 'cause',
    o: 'reason',
    p: 'address',
    q: 'wallet_id',
    r: 'currency',
    s: 'participant_id',
    t: 'reference',
  }),
)
/** Words that most messages have, likewise: behind a mark, and of one letter as no packed text is. */
const words = new Map(
  Object.entries({
    '~a': 'WITHDRAWAL',
    '~b': 'DEPOSIT',
    '~c': 'TRANSFER',
    '~d': 'PENDING',
    '~e': 'APPROVED',
    '~f': 'COMPLETED',
    '~g': 'created',
    '~h': 'screening_approved',
    '~i': 'completed',
    '~j': 'broadcast',
    '~k': 'confirmed',
    '~l': 'withdrawal',
  }),
)
const turned = (map: ReadonlyMap<string, string>) => new Map([...map].map(([short, long]) => [long, short]))
const [letters, shortWords] = [turned(names), turned(words)]

type Metadata = Record<string, unknown>

/** Metadata repeat their names and other ids in every message: they are most of its row otherwise. */
export const packedMetadata = {
  pack: (metadata: Metadata): Metadata =>
    Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [
        // A name of one character would be taken for a letter.
        letters.get(name) ?? (name.length === 1 || name.startsWith(' ') ? ` ${name}` : name),
        typeof value === 'string' ? (shortWords.get(value) ?? packText(value)) : value,
      ]),
    ),
  unpack: (stored: unknown): Metadata =>
    Object.fromEntries(
      Object.entries(stored as Metadata).map(([name, value]) => [
        name.startsWith(' ') ? name.slice(1) : (names.get(name) ?? name),
        typeof value === 'string' ? (words.get(value) ?? unpackText(value)) : value,
      ]),
    ),
}

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
    id: packedText().notNull(),
    seriesId: integer().notNull(),
    requestId: text().notNull(),
    /** The transaction or payment in the metadata; null if there is none. */
    transactionId: packedText(),
    timestamp: timestamp().notNull(),
    metadata: json<Record<string, unknown>>(packedMetadata).notNull(),
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
