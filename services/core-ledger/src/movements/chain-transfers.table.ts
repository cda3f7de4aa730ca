import { table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Which transfer on a chain is which deposit here: one of each. By the blockchain service's word alone. */
export const chainTransfers = table(
  'chain_transfers',
  {
    /** `transferKey`: network, hash and log index as the blockchain service has them. */
    key: text().primaryKey(),
    /** Null for one that was taken off the chain before it was recorded here. */
    transactionId: text(),
    confirmedAt: timestamp().notNull(),
    /** When it was taken off the chain again; null: it is on the chain. */
    reversedAt: timestamp(),
  },
  (table) => [uniqueIndex('chain_transfers_transaction').on(table.transactionId)],
)
