import { index, integer, table, text } from '@bursar/store/schema'

/** The replica of the account service's accounts. */
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
    /** The participant whose omnibus or fee-payer account it is. */
    participantId: text(),
    epoch: integer().notNull().default(0),
    version: integer().notNull(),
  },
  (table) => [index('accounts_customer').on(table.customerId), index('accounts_type').on(table.type)],
)

/** The replica of the customer service's customers. */
export const customers = table('customers', {
  id: text().primaryKey(),
  /** active, inactive, deleted or suspended. */
  status: text().notNull(),
  epoch: integer().notNull().default(0),
  version: integer().notNull(),
})

/** The replica of the participant service's records of customers' owners. */
export const customerOwners = table('customer_owners', {
  /** The customer's. */
  id: text().primaryKey(),
  participantId: text().notNull(),
  epoch: integer().notNull().default(0),
  version: integer().notNull(),
})
