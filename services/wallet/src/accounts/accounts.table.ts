import type { AccountType } from '@bursar/contracts/account'
import type { RecordStatus } from '@bursar/contracts/customer'
import { index, integer, sql, table, text } from '@bursar/store/schema'

/** The replica of the account service's accounts: the fields that wallets need. */
export const accounts = table(
  'accounts',
  {
    id: text().primaryKey(),
    /** The participant whose omnibus or fee-payer account it is. */
    participantId: text(),
    walletAccountId: text(),
    type: text().$type<AccountType>().notNull(),
    status: text().$type<RecordStatus>().notNull(),
    epoch: integer().notNull(),
    version: integer().notNull(),
  },
  (table) => [
    index('accounts_participant').on(table.participantId),
    // Participants' own accounts, which are few.
    index('accounts_own').on(table.type).where(sql`${table.participantId} is not null`),
  ],
)
