import { table, text, timestamp } from '@bursar/store/schema'

/** Sends that were open in a restored database, which lacks their later history. */
export const restoredSends = table('restored_sends', {
  sendId: text().primaryKey(),
  restoredAt: timestamp().notNull(),
})
