import { code, index, integer, sql, table, text, timestamp, uniqueIndex, work } from '@bursar/store/schema'

/** Transactions that callers ordered by POST /transactions/{type}: withdrawals of the ledger's, which decides on them. */
export const transactions = table(
  'transactions',
  {
    /** Under which the ledger takes it, once. */
    id: text().primaryKey(),
    type: text({ enum: ['withdraw', 'transfer'] }).notNull(),
    /** The caller's own name for it, unique per participant and type. */
    transactionId: text().notNull(),
    participantId: text().notNull(),
    /** The participant's omnibus account, which is debited. */
    accountId: text().notNull(),
    network: text().notNull(),
    currency: code().notNull(),
    contractAddress: text(),
    /** Decimal, as it was asked for. */
    amount: text().notNull(),
    decimals: integer().notNull(),
    destinationAddress: text().notNull(),
    iban: text(),
    swift: text(),
    /** `ordered`: the ledger has it. `failed`: the ledger has refused it for good. */
    status: text({ enum: ['new', 'ordered', 'failed'] }).notNull(),
    /** The ledger's transaction, under whose id it is sent; null before it was ordered. */
    ledgerId: text(),
    /** As the ledger said last. */
    ledgerStatus: text({ enum: ['PENDING', 'FROZEN', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED'] }),
    reason: text(),
    // Due when the ledger is asked (again).
    ...work(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex('transactions_caller').on(table.participantId, table.type, table.transactionId),
    // Those that have not ended: the others are many.
    index('transactions_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
  ],
)
export type TransactionRow = typeof transactions.$inferSelect
