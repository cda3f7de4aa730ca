import {
  boolean,
  index,
  integer,
  money,
  primaryKey,
  sql,
  table,
  text,
  timestamp,
  uniqueIndex,
} from '@bursar/store/schema'

/** Addresses whose deposits are to be seen, and the accounts that they are for. */
export const watchedAddresses = table(
  'watched_addresses',
  {
    network: text().notNull(),
    /** Comparable. */
    key: text().notNull(),
    /** As it is shown. */
    address: text().notNull(),
    accountId: text().notNull(),
    /** Of a PORTFOLIO account: all that moves at it is told. */
    isPortfolio: boolean().notNull().default(false),
    watchedAt: timestamp().notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.key] }), index('watched_key').on(table.key)],
)

/** Where the reading of a network has come to: a block, or for an account of Solana a signature. */
export const cursors = table(
  'cursors',
  {
    network: text().notNull(),
    /** '' for the whole network, else an account. */
    account: text().notNull(),
    /** The last block that was read; 0 for accounts. */
    block: integer().notNull(),
    /** Its hash, or the signature. */
    hash: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.account] })],
)

/** The newest blocks that were read, by which a reorganisation is found. */
export const readBlocks = table(
  'read_blocks',
  { network: text().notNull(), number: integer().notNull(), hash: text().notNull() },
  (table) => [primaryKey({ columns: [table.network, table.number] })],
)

/**
 * Transfers to and from the watched addresses. `pending` becomes `confirmed`, which is a deposit that was published;
 * `reversed` is one that a reorganisation took off the chain after that.
 * Never published: `execution` (what a portfolio's own transaction brought to its address: a movement), `outgoing`, `dust`
 * (below the setting), `unknown_token` (until the token is registered) and `earlier` (than the address was watched).
 */
export const transfers = table(
  'transfers',
  {
    id: text().primaryKey(),
    network: text().notNull(),
    txHash: text().notNull(),
    logIndex: integer().notNull(),
    status: text({
      enum: ['pending', 'confirmed', 'reversed', 'execution', 'outgoing', 'dust', 'unknown_token', 'earlier'],
    }).notNull(),
    /** Of the receiving address; null for an outgoing one. */
    accountId: text(),
    fromAddress: text().notNull(),
    toAddress: text().notNull(),
    /** Both comparable. */
    fromKey: text().notNull(),
    toKey: text().notNull(),
    contractAddress: text(),
    amount: money().notNull(),
    decimals: integer(),
    block: integer().notNull(),
    blockHash: text().notNull(),
    at: timestamp().notNull(),
    confirmedAt: timestamp(),
    /** When a reorganisation took it off the chain after it was published; null again once it is back and final. */
    reversedAt: timestamp(),
  },
  (table) => [
    uniqueIndex('transfers_place').on(table.network, table.txHash, table.logIndex),
    index('transfers_block').on(table.network, table.status, table.block),
    // An address may have a million: its pages are counted off in these.
    index('transfers_from').on(table.fromKey, table.at, table.id),
    index('transfers_to').on(table.toKey, table.at, table.id),
    // Few are of tokens that nobody knows: their contracts, once each.
    index('transfers_unknown_tokens')
      .on(table.network, table.toKey, table.contractAddress)
      .where(sql`${table.status} = 'unknown_token'`),
  ],
)
export type TransferRow = typeof transfers.$inferSelect
