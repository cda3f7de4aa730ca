import { index, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Accounts of participants at custodian banks. Ids are UUID v7: the first of a participant is its oldest. */
export const bankAccounts = table(
  'bank_accounts',
  {
    id: text().primaryKey(),
    participantId: text().notNull(),
    /** In its normal form (account-numbers.ts), as the routing number. */
    accountNumber: text().notNull(),
    routingNumber: text().notNull(),
    accountType: text().notNull(),
    /** ISO 4217. */
    currency: text().notNull(),
    custodianBankId: text().notNull(),
    /** Copied when the account was added: a bank cannot be renamed. */
    custodianBankName: text().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex('bank_accounts_number').on(table.routingNumber, table.accountNumber, table.currency),
    index('bank_accounts_participant').on(table.participantId, table.id),
    index('bank_accounts_custodian_bank').on(table.custodianBankId, table.participantId),
  ],
)
