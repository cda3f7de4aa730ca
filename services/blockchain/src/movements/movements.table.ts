import { index, integer, money, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/**
 * What moved at addresses of this deployment and is neither a deposit nor a withdrawal of the ledger's: network fees, and
 * what comes and goes at a portfolio's address (contracts, MovementConfirmed). Told once it is final.
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
    /** Null until the token is registered: it is not told before. */
    decimals: integer(),
    orderId: text(),
    block: integer().notNull(),
    confirmedAt: timestamp(),
    /** When a reorganisation took it off the chain after it was told; null while it is there. */
    reversedAt: timestamp(),
  },
  (table) => [
    uniqueIndex('movements_place').on(table.network, table.txHash, table.place),
    // Those that are not told yet: the others are many.
    index('movements_pending').on(table.network, table.block).where(sql`${table.confirmedAt} is null`),
  ],
)
export type MovementRow = typeof movements.$inferSelect
