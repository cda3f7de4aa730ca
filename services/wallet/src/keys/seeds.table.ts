import { table, text, timestamp } from '@bursar/store/schema'

/** The seed of this database's wallets. At most one row. */
export const seeds = table('seeds', {
  id: text().$type<'seed'>().primaryKey(),
  fingerprint: text().notNull(),
  createdAt: timestamp().notNull(),
})
