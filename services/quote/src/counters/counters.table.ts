import { integer, table, text } from '@bursar/store/schema'

/** How many records a table has, kept in the commits that change it, so that no page of a list has to count them. */
export const counters = table('counters', {
  name: text().primaryKey(),
  total: integer().notNull(),
})
