import { caseless, code, index, real, table, text, timestamp } from '@bursar/store/schema'

/** Former fixed values of assets, with their end: they count for the highest price of the last day. */
export const endedValues = table(
  'ended_values',
  {
    id: text().primaryKey(),
    /** The asset's code at that time. */
    assetCode: code().notNull(),
    value: real().notNull(),
    endedAt: timestamp().notNull(),
  },
  (table) => [index('ended_values_code').on(caseless(table.assetCode), table.endedAt)],
)
