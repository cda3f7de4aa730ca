import { code, index, integer, sql, table, text, timestamp, uniqueIndex, work } from '@bursar/store/schema'

/** Transactions that callers ordered by POST /transactions/{type}: withdrawals of the ledger, which decides on them. */
export const transactions = table(
  'transactions',
  {
    /** The idempotency key at the ledger. */
    id: text().primaryKey(),
    type: text({ enum: ['withdraw', 'transfer'] }).notNull(),
    /** The caller's own id of it, unique per participant and type. */
    transactionId: text().notNull(),
    participantId: text().notNull(),
    /** The participant's omnibus account, which is debited. */
    accountId: text().notNull(),
    network: text().notNull(),
    currency: code().notNull(),
    contractAddress: text(),
    /** A decimal string in its canonical form. */
    amount: text().notNull(),
    decimals: integer().notNull(),
    destinationAddress: text().notNull(),
    iban: text(),
    swift: text(),
    /** `ordered`: the ledger has it. `failed`: the ledger has refused it permanently. */
    status: text({ enum: ['new', 'ordered', 'failed'] }).notNull(),
    /** The ledger's transaction, whose id is the id of the send; null before it is ordered. */
    ledgerId: text(),
    /** The last known status at the ledger. */
    ledgerStatus: text({ enum: ['PENDING', 'FROZEN', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED'] }),
    reason: text(),
    // Due when the ledger is called (again).
    ...work(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex('transactions_caller').on(table.participantId, table.type, table.transactionId),
    // Open ones, which are few.
    index('transactions_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
  ],
)
export type TransactionRow = typeof transactions.$inferSelect
