import { index, integer, table, text } from '@bursar/store/schema'

/** What this service keeps of the account service's accounts. Fed by its events; the highest version wins. */
export const accounts = table(
  'accounts',
  {
    id: text().primaryKey(),
    /** Null for omnibus and fee-payer accounts. */
    customerId: text(),
    /** STABLECOINS, PORTFOLIO, OMNIBUS or FEE_PAYER. */
    type: text().notNull(),
    /** active, inactive, deleted or suspended. */
    status: text().notNull(),
    /** Whose omnibus or fee-payer account it is. */
    participantId: text(),
    version: integer().notNull(),
  },
  (table) => [index('accounts_customer').on(table.customerId)],
)
