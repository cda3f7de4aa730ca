import type { AccountType } from '@bursar/contracts/account'
import type { RecordStatus } from '@bursar/contracts/customer'
import { index, integer, sql, table, text, timestamp } from '@bursar/store/schema'

/** Replicas of the account service's records. */
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
    /** The owner of an omnibus or fee-payer account. */
    participantId: text(),
    createdAt: timestamp().notNull(),
    epoch: integer().notNull().default(0),
    version: integer().notNull(),
  },
  (table) => [
    index('accounts_customer_id').on(table.customerId, table.id),
    index('accounts_participant_id')
      .on(table.participantId, table.epoch)
      .where(sql`${table.participantId} is not null`),
  ],
)
