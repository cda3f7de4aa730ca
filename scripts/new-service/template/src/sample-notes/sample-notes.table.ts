import { index, table, text, timestamp } from '@bursar/store/schema'

/** Sample notes. Ids are UUID v7. */
export const sampleNotes = table(
  'sample_notes',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('sample_notes_created_at').on(table.createdAt, table.id)],
)
