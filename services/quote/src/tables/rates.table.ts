import { index, json, real, sql, table, text, timestamp } from '@bursar/store/schema'
import { assets } from './assets.table'

/**
 * Rates as they were computed (spec 1, Rate record). In USD. A rate is returned as a JSON number, which is a double: it
 * is computed exactly and converted once, so `real` stores exactly the number that the caller got, and sorts.
 */
export const rates = table(
  'rates',
  {
    id: text().primaryKey(),
    /** Null when the code was not in the catalogue. */
    assetId: text().references(() => assets.id),
    /** The code in the answer: the catalogue's, else the requested one. */
    assetCode: text().notNull(),
    rate: real().notNull(),
    /** What each provider answered, by slug; empty for fixed rates. */
    providers: json<Record<string, number>>().notNull(),
    timestamp: timestamp().notNull(),
  },
  (table) => [
    index('rates_timestamp').on(table.timestamp, table.id),
    index('rates_rate').on(table.rate, table.id),
    index('rates_asset').on(table.assetId, table.timestamp, table.id),
    // A covering index for the highest rate of a period.
    index('rates_code').on(sql`lower(${table.assetCode})`, table.timestamp, table.rate),
  ],
)
