import { money, primaryKey, table, text } from '@bursar/store/schema'

/** The sums of the journal per account and asset, updated in the commit of each entry. Never negative. */
export const balances = table(
  'balances',
  {
    accountId: text().notNull(),
    assetId: text().notNull(),
    available: money().notNull(),
    frozen: money().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.assetId] })],
)

/**
 * The same for the ledger's own accounts: `suspense:<network>` (deposits that are not credited; never negative),
 * `returning:<network>` (deposits that are being returned; never negative), `fees:<network>` (the platform's; negative
 * by the network fees paid) and `world:<network>` (everything outside; negative by the net amount that came in).
 */
export const systemBalances = table(
  'system_balances',
  {
    name: text().notNull(),
    assetId: text().notNull(),
    amount: money().notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.assetId] })],
)
