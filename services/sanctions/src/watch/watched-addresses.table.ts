import { boolean, index, integer, primaryKey, table, text, timestamp } from '@bursar/store/schema'

/**
 * Every address that was ever screened, or was the counterparty of a movement, per participant. Each new
 * list is compared with all of them.
 */
export const watchedAddresses = table(
  'watched_addresses',
  {
    /** The screening key. */
    key: text().notNull(),
    /** The participant that hits are reported to; empty for none. */
    participantId: text().notNull(),
    /** As it was first written. */
    address: text().notNull(),
    blockchain: text().notNull(),
    /** The ledger's last transaction with it; null when it was only screened. */
    ledgerTransactionId: text(),
    /** The list that it was last screened with. */
    listId: integer().notNull(),
    /** Whether that list has it. */
    listed: boolean().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.participantId] }),
    // For finding addresses last screened with an older list.
    index('watched_addresses_list').on(table.listId),
  ],
)
