import { code, index, integer, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Transactions that callers ordered by POST /transactions/{type}; the wallet service carries them out. */
export const transactions = table(
  'transactions',
  {
    /** Also of the wallet service's withdrawal and of the send. */
    id: text().primaryKey(),
    type: text({ enum: ['withdraw', 'transfer'] }).notNull(),
    /** The caller's own name for it, unique per participant and type. */
    transactionId: text().notNull(),
    participantId: text().notNull(),
    /** The participant's omnibus account, whose wallet pays. */
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
    /** Whether the wallet service has it; then the send, or its record, says how it stands. */
    status: text({ enum: ['new', 'ordered', 'failed'] }).notNull(),
    reason: text(),
    /** When the wallet service is asked (again); null when it has it or has refused. */
    dueAt: timestamp(),
    leasedUntil: timestamp(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex('transactions_caller').on(table.participantId, table.type, table.transactionId),
    index('transactions_due').on(table.dueAt),
  ],
)
export type TransactionRow = typeof transactions.$inferSelect
