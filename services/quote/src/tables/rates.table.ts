import { index, json, real, sql, table, text, timestamp } from '@bursar/store/schema'
import { assets } from './assets.table'

/**
 * Rates as they were computed (spec 1, Rate record). In USD. A rate leaves here as a JSON number, which is a double: it
 * is computed exactly and converted once, so `real` holds the very number that the caller was answered, and sorts.
 */
export const rates = table(
  'rates',
  {
    id: text().primaryKey(),
    /** Null when the code was not in the catalogue. */
    assetId: text().references(() => assets.id),
    /** As the caller is answered: the catalogue's code, else the one that was asked. */
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
    // All that the highest one of a time is found by.
    index('rates_code').on(sql`lower(${table.assetCode})`, table.timestamp, table.rate),
  ],
)
