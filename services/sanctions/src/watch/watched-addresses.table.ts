import { boolean, index, integer, primaryKey, table, text, timestamp } from '@bursar/store/schema'

/**
 * Every address that was ever screened, or that a movement of money had as its counterparty, per participant. Each new
 * list is held against all of them.
 */
export const watchedAddresses = table(
  'watched_addresses',
  {
    /** The screening key. */
    key: text().notNull(),
    /** Whom a hit is reported to; empty for nobody's. */
    participantId: text().notNull(),
    /** As it was written first. */
    address: text().notNull(),
    blockchain: text().notNull(),
    /** The ledger's last transaction with it; null when it was only screened. */
    ledgerTransactionId: text(),
    /** The list that it was held against last. */
    listId: integer().notNull(),
    /** Whether that list has it. */
    listed: boolean().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.participantId] }),
    // What an older list was the last for.
    index('watched_addresses_list').on(table.listId),
  ],
)
