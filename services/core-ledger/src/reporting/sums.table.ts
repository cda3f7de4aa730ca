import { integer, money, primaryKey, table, text } from '@bursar/store/schema'

/**
 * Completed movements per day; folded from the journal (fold-sums.ts). A transfer between accounts of one type is
 * `TRANSFER`; otherwise it is `SENT` for the sender's type and `RECEIVED` for the receiver's.
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
    /** In minor units. */
    amount: money().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.accountType, table.assetId, table.network, table.kind] })],
)

/**
 * `IN` and `OUT`: movements at portfolios' addresses without a ledger transaction. `RETURN`: deposits that were
 * returned; no account ever held them.
 */
export type MovementKind = 'DEPOSIT' | 'WITHDRAWAL' | 'TRANSFER' | 'SENT' | 'RECEIVED' | 'IN' | 'OUT' | 'RETURN'

export type DailyTotal = typeof dailyTotals.$inferSelect

/** The holdings of an asset by account type, available and frozen together; folded from the journal (fold-sums.ts). */
export const holdings = table(
  'holdings',
  {
    accountType: text().notNull(),
    assetId: text().notNull(),
    network: text().notNull(),
    /** In minor units. */
    amount: money().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountType, table.assetId, table.network] })],
)

export type Held = typeof holdings.$inferSelect
