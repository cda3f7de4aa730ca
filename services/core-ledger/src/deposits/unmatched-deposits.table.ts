import type { ConfirmedDeposit } from '@bursar/contracts/blockchain'
import { index, json, sql, table, text, timestamp, work } from '@bursar/store/schema'

/** Deposits on a chain that are not credited yet: their asset or account is unknown here, or differs. */
export const unmatchedDeposits = table(
  'unmatched_deposits',
  {
    id: text().primaryKey(),
    deposit: json<ConfirmedDeposit>().notNull(),
    reason: text().notNull(),
    ...work(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('unmatched_deposits_due').on(table.dueAt).where(sql`${table.dueAt} is not null`)],
)
