import { index, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** The address that holds a token for an account: its own token account on Solana, the wallet's address elsewhere. */
export const tokenAccounts = table(
  'token_accounts',
  {
    id: text().primaryKey(),
    accountId: text().notNull(),
    walletId: text().notNull(),
    network: text().notNull(),
    /** The token in comparable form; `native` for the network's native coin. */
    token: text().notNull(),
    /** Null for the network's native coin. */
    tokenAddress: text(),
    /** Null for a token that was not in the catalogue of assets. */
    assetCode: text(),
    address: text().notNull(),
    feePayerAccountId: text(),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex('token_accounts_wallet_token').on(table.walletId, table.token),
    index('token_accounts_address').on(table.address),
  ],
)
