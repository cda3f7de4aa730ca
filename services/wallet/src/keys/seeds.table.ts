import { table, text, timestamp } from '@bursar/store/schema'

/** The seed that this database's wallets come of. One row at most. */
export const seeds = table('seeds', {
  id: text().$type<'seed'>().primaryKey(),
  fingerprint: text().notNull(),
  createdAt: timestamp().notNull(),
})
