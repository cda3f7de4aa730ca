import { index, integer, money, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/**
 * Transfers to and from the watched addresses. `pending` becomes `confirmed`, which is a published deposit;
 * `reversed` is one that a reorganisation removed from the chain after that.
 * Never published: `execution` (received by a portfolio's own transaction: a movement), `outgoing`, `dust`
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
    /** The account of the receiving address; null for an outgoing one. */
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
    /** When a reorganisation removed it from the chain after publication; null again once it is back and final. */
    reversedAt: timestamp(),
  },
  (table) => [
    uniqueIndex('transfers_place').on(table.network, table.txHash, table.logIndex),
    index('transfers_block').on(table.network, table.status, table.block),
    // An address may have a million: its pages are read by these.
    index('transfers_from').on(table.fromKey, table.at, table.id),
    index('transfers_to').on(table.toKey, table.at, table.id),
    // For the contracts of unregistered tokens: anybody can send a million transfers of a worthless one.
    index('transfers_unknown_tokens')
      .on(table.network, table.toKey, table.contractAddress)
      .where(sql`${table.status} = 'unknown_token'`),
  ],
)
export type TransferRow = typeof transfers.$inferSelect
