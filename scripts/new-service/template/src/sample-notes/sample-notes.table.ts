import { table, text, timestamp } from '@bursar/store/schema'

/** Sample notes. Ids are UUID v7: their order is that of creation. */
export const sampleNotes = table('sample_notes', {
  id: text().primaryKey(),
  name: text().notNull(),
  status: text({ enum: ['received', 'filed'] }).notNull(),
  createdAt: timestamp().notNull(),
})
