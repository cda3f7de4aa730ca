import { table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/**
 * What an account's keys are derived from. One made beforehand waits for the account that names it as its
 * walletAccountId; of an account that names none it has the account's own id.
 */
export const walletAccounts = table(
  'wallet_accounts',
  {
    id: text().primaryKey(),
    /** Null until an account's first wallet is made from it. */
    accountId: text(),
    createdAt: timestamp().notNull(),
  },
  (table) => [uniqueIndex('wallet_accounts_account_id').on(table.accountId)],
)
