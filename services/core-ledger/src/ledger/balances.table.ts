import { money, primaryKey, table, text } from '@bursar/store/schema'

/** What the journal comes to per customer account and asset; moved together with it, in one commit. Never negative. */
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
 * The same for the ledger's own accounts: `suspense:<network>` (deposits not yet credited; never negative),
 * `returning:<network>` (deposits on their way back; never negative), `fees:<network>` (the platform's own; negative by the network fees that it has paid) and `world:<network>` (everything
 * outside; negative by as much as came in).
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
