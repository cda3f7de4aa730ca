import { table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** What holds a token for an account: a token account of its own on Solana, the wallet's address elsewhere. */
export const tokenAccounts = table(
  'token_accounts',
  {
    id: text().primaryKey(),
    accountId: text().notNull(),
    walletId: text().notNull(),
    network: text().notNull(),
    /** The token as it is compared; `native` for the network's own coin. */
    token: text().notNull(),
    /** Null for the network's own coin. */
    tokenAddress: text(),
    /** Null for a token that was not in the catalogue of assets. */
    assetCode: text(),
    address: text().notNull(),
    feePayerAccountId: text(),
    createdAt: timestamp().notNull(),
  },
  (table) => [uniqueIndex('token_accounts_wallet_token').on(table.walletId, table.token)],
)
