import { integer, money, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'
import type { EntryKind, LedgerAccount } from './ledger-accounts'

/**
 * The journal: one row moves an amount of one asset from one ledger account (debit) to another (credit), so that all
 * rows sum to zero by construction. Rows are never changed or deleted.
 */
export const journal = table(
  'journal',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    /** The id of the transaction, or of the movement (portfolios/movements.table.ts). */
    transactionId: text().notNull(),
    kind: text().$type<EntryKind>().notNull(),
    assetId: text().notNull(),
    debit: text().$type<LedgerAccount>().notNull(),
    credit: text().$type<LedgerAccount>().notNull(),
    /** Above 0, in minor units. */
    amount: money().notNull(),
    createdAt: timestamp().notNull(),
  },
  // The database itself prevents a second hold, settlement or release of a transaction.
  (table) => [uniqueIndex('journal_transaction').on(table.transactionId, table.kind)],
)
