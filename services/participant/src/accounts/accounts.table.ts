import type { AccountType } from '@bursar/contracts/account'
import type { RecordStatus } from '@bursar/contracts/customer'
import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/** Copies of all accounts, as the account service said; the highest version wins. */
export const accounts = table(
  'accounts',
  {
    id: text().primaryKey(),
    customerId: text(),
    customerExternalId: text(),
    walletAccountId: text(),
    accountExternalId: text(),
    type: text().$type<AccountType>().notNull(),
    status: text().$type<RecordStatus>().notNull(),
    name: text().notNull(),
    customerName: text(),
    version: integer().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('accounts_customer_id').on(table.customerId, table.id)],
)
