import { index, integer, money, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/**
 * Movements at addresses of this deployment that are neither deposits nor withdrawals of the ledger: network fees, and
 * movements at a portfolio's address (contracts, MovementConfirmed). Published once final.
 */
export const movements = table(
  'movements',
  {
    id: text().primaryKey(),
    kind: text({ enum: ['fee', 'out', 'in'] }).notNull(),
    network: text().notNull(),
    txHash: text().notNull(),
    /** `fee`, or `out` or `in` with the transfer's log index. */
    place: text().notNull(),
    /** Null for the hot wallet. */
    accountId: text(),
    address: text().notNull(),
    counterparty: text(),
    /** Null for the native coin. */
    contractAddress: text(),
    amount: money().notNull(),
    /** Null until the token is registered: it is not published before. */
    decimals: integer(),
    orderId: text(),
    block: integer().notNull(),
    confirmedAt: timestamp(),
    /** When a reorganisation took it off the chain after it was told; null while it is there. */
    reversedAt: timestamp(),
  },
  (table) => [
    uniqueIndex('movements_place').on(table.network, table.txHash, table.place),
    // Unpublished ones.
    index('movements_pending').on(table.network, table.block).where(sql`${table.confirmedAt} is null`),
    // Those of them that wait for their block alone, and are few: each look for final ones reads them.
    index('movements_known')
      .on(table.network, table.block, table.id)
      .where(sql`${table.confirmedAt} is null and ${table.decimals} is not null`),
    // Those of unregistered tokens: anybody can make a worthless token tell of a million movements at a portfolio.
    index('movements_unknown_tokens')
      .on(table.network, table.address, table.contractAddress)
      .where(sql`${table.confirmedAt} is null and ${table.decimals} is null`),
  ],
)
export type MovementRow = typeof movements.$inferSelect
