import { integer, money, primaryKey, table, text } from '@bursar/store/schema'

/**
 * What was completed per day; it follows the journal (fold.ts). Between accounts of one type a transfer is `TRANSFER`;
 * else it is `SENT` at the sender's type and `RECEIVED` at the receiver's.
 */
export const dailyTotals = table(
  'daily_totals',
  {
    /** YYYY-MM-DD in UTC. */
    day: text().notNull(),
    accountType: text().notNull(),
    assetId: text().notNull(),
    network: text().notNull(),
    kind: text().$type<MovementKind>().notNull(),
    count: integer().notNull(),
    /** In the asset's smallest unit. */
    amount: money().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.accountType, table.assetId, table.network, table.kind] })],
)

/**
 * `IN` and `OUT`: what moved at the addresses of portfolios, and is no transaction of the ledger's. `RETURN`: deposits
 * that were sent back; no account ever held them.
 */
export type MovementKind = 'DEPOSIT' | 'WITHDRAWAL' | 'TRANSFER' | 'SENT' | 'RECEIVED' | 'IN' | 'OUT' | 'RETURN'

export type DailyTotal = typeof dailyTotals.$inferSelect
