import type { AccountType } from '@bursar/contracts/account'
import type { RecordStatus } from '@bursar/contracts/customer'
import { index, sql, statusChangesTable, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Accounts (spec 3, Account). No account is ever removed: `deleted` is a status. Ids are UUID v7: they sort by age. */
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
    /** The owner of an omnibus or fee-payer account; a participant has one of each. */
    participantId: text(),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex('accounts_account_external_id').on(table.accountExternalId),
    uniqueIndex('accounts_wallet_account_id').on(table.walletAccountId),
    uniqueIndex('accounts_participant_type')
      .on(table.participantId, table.type)
      .where(sql`${table.participantId} is not null`),
    // For the filters of the list, each by age.
    index('accounts_customer').on(table.customerId, table.id),
    index('accounts_status').on(table.status, table.id),
    index('accounts_type').on(table.type, table.id),
    index('accounts_type_status').on(table.type, table.status, table.id),
    index('accounts_customer_status').on(table.customerId, table.status, table.id),
    index('accounts_customer_type').on(table.customerId, table.type, table.id),
    index('accounts_customer_type_status').on(table.customerId, table.type, table.status, table.id),
  ],
)

/** Each change of an account's status. */
export const statusChanges = statusChangesTable()
