import { index, primaryKey, table, text, timestamp } from '@bursar/store/schema'

/** Attempts that failed or are under way, one row for each subject that they count for. */
export const attempts = table(
  'attempts',
  {
    id: text().notNull(),
    /**
     * A digest of an account or address and the kind of attempt. A digest, because people type passwords into the wrong
     * field.
     */
    subject: text().notNull(),
    at: timestamp().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.subject] }),
    index('attempts_subject').on(table.subject, table.at),
    index('attempts_at').on(table.at),
  ],
)
