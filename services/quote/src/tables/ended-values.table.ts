import { code, index, real, table, text, timestamp } from '@bursar/store/schema'

/** Fixed values that assets had, and until when: the highest price of the last day is made from them as well. */
export const endedValues = table(
  'ended_values',
  {
    id: text().primaryKey(),
    /** As the asset was called then. */
    assetCode: code().notNull(),
    value: real().notNull(),
    endedAt: timestamp().notNull(),
  },
  (table) => [index('ended_values_code').on(table.assetCode, table.endedAt)],
)
