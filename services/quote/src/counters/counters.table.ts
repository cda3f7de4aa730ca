import { integer, table, text } from '@bursar/store/schema'

/** The number of records of a table, updated in the commits that change it, so that lists need not count. */
export const counters = table('counters', {
  name: text().primaryKey(),
  total: integer().notNull(),
})
