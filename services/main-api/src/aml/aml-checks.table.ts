import { index, integer, json, table, text, timestamp } from '@bursar/store/schema'
import type { Reason, RiskLevel } from './rules'

/** Every AML check with its result. Rows are only added. Ids are UUID v7: they sort by age. */
export const amlChecks = table(
  'aml_checks',
  {
    id: text().primaryKey(),
    participantId: text().notNull(),
    custodianBankId: text().notNull(),
    /** Decimal string in the currency's own unit. */
    amount: text().notNull(),
    currency: text().notNull(),
    /** The customer's name, birth date and nationality unchanged: JSON, encrypted for the check's id. */
    sealedCustomer: text().notNull(),
    score: integer().notNull(),
    riskLevel: text().$type<RiskLevel>().notNull(),
    reasons: json<Reason[]>().notNull(),
    /** The version of the rules that scored it. */
    rules: text().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('aml_checks_participant').on(table.participantId, table.id)],
)
