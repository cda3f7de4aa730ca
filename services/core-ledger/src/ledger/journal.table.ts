import { integer, money, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'
import type { EntryKind, LedgerAccount } from './ledger-accounts'

/**
 * The journal: one row moves one amount of one asset from a ledger account (debit) to another (credit), so that all
 * rows together sum to zero by construction. Rows are added and never changed or deleted.
 */
export const journal = table(
  'journal',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    /** Or the movement's (portfolios/movements.table.ts), for those that no transaction made. */
    transactionId: text().notNull(),
    kind: text().$type<EntryKind>().notNull(),
    assetId: text().notNull(),
    debit: text().$type<LedgerAccount>().notNull(),
    credit: text().$type<LedgerAccount>().notNull(),
    /** Above 0, in the asset's smallest unit. */
    amount: money().notNull(),
    createdAt: timestamp().notNull(),
  },
  // The database itself refuses to hold, settle or release the same transaction twice.
  (table) => [uniqueIndex('journal_transaction').on(table.transactionId, table.kind)],
)
