import { index, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** The address of an account on a network; one each. Its keys are derived from the wallet account's id. */
export const wallets = table(
  'wallets',
  {
    id: text().primaryKey(),
    accountId: text().notNull(),
    walletAccountId: text().notNull(),
    network: text().notNull(),
    address: text().notNull(),
    /** When the address was last registered for watching at the blockchain service; null before. */
    watchedAt: timestamp(),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex('wallets_account_network').on(table.accountId, table.network),
    uniqueIndex('wallets_network_address').on(table.network, table.address),
    index('wallets_address').on(table.address, table.id),
    index('wallets_network').on(table.network, table.id),
    index('wallets_watched_at').on(table.watchedAt, table.id),
  ],
)
