import { table, text, timestamp } from '@bursar/store/schema'

/** Sends that had not ended in a database that was set back: what became of them since then is not in it. */
export const restoredSends = table('restored_sends', {
  sendId: text().primaryKey(),
  restoredAt: timestamp().notNull(),
})
