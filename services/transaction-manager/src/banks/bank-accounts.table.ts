import { index, integer, table, text } from '@bursar/store/schema'

/** Replicas of the main API's accounts of participants at custodian banks. */
export const bankAccounts = table(
  'bank_accounts',
  {
    id: text().primaryKey(),
    participantId: text().notNull(),
    accountNumber: text().notNull(),
    routingNumber: text().notNull(),
    currency: text().notNull(),
    custodianBankId: text().notNull(),
    custodianBankName: text().notNull(),
    epoch: integer().notNull(),
    version: integer().notNull(),
  },
  (table) => [index('bank_accounts_participant').on(table.participantId, table.currency, table.id)],
)
