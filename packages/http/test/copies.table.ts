import { integer, table, text } from '@bursar/store/schema'

/** Replicas of another service's records. */
export const copies = table('copies', {
  id: text().primaryKey(),
  label: text().notNull(),
  epoch: integer().notNull(),
  version: integer().notNull(),
})
