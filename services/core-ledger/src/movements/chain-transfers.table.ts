import { index, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Maps transfers on a chain to deposits, one to one, only as reported by the blockchain service. */
export const chainTransfers = table(
  'chain_transfers',
  {
    /** `transferKey`: network, hash and log index as the blockchain service has them. */
    key: text().primaryKey(),
    /** Null for a transfer that was reversed before it was recorded here. */
    transactionId: text(),
    confirmedAt: timestamp().notNull(),
    /** When it was reversed; null while it is on the chain. */
    reversedAt: timestamp(),
  },
  (table) => [
    uniqueIndex('chain_transfers_transaction').on(table.transactionId),
    index('chain_transfers_reversed').on(table.transactionId).where(sql`${table.reversedAt} is not null`),
  ],
)
