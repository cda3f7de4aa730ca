import { table, text, timestamp } from '@bursar/store/schema'

/** The line of history of this database, and whether its older orders wait for an operator. One row. */
export const restoreHold = table('restore_hold', {
  id: text().$type<'hold'>().primaryKey(),
  /** As in the run file; renewed each time that a hold is released. */
  line: text().notNull(),
  /** Orders from before this time wait; null: none does. */
  before: timestamp(),
})

/** Orders that an operator has released one by one. */
export const releasedOrders = table('released_orders', {
  id: text().primaryKey(),
  releasedAt: timestamp().notNull(),
})
