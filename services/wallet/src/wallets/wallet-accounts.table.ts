import { table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/**
 * The basis of an account's keys. One that was created in advance waits for the account that has it as its
 * walletAccountId; otherwise it has the account's own id.
 */
export const walletAccounts = table(
  'wallet_accounts',
  {
    id: text().primaryKey(),
    /** Null until an account's first wallet is created from it. */
    accountId: text(),
    createdAt: timestamp().notNull(),
  },
  (table) => [uniqueIndex('wallet_accounts_account_id').on(table.accountId)],
)
