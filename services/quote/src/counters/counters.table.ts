import { integer, table, text } from '@bursar/store/schema'

/** The number of records of a table, updated in the commits that change it, so that lists need not count. */
export const counters = table('counters', {
  name: text().primaryKey(),
  total: integer().notNull(),
})

/** Changes of these numbers that are not added up yet; none where one process owns the database. */
export const counterChanges = table('counter_changes', {
  number: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  by: integer().notNull(),
})
