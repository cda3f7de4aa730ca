import type { PfiStatus } from '@bursar/contracts/main-api'
import { index, table, text, timestamp } from '@bursar/store/schema'

/** What the reviews of participants have decided. Rows are only added. Ids are UUID v7: their order is the age. */
export const reviews = table(
  'reviews',
  {
    id: text().primaryKey(),
    participantId: text().notNull(),
    from: text().$type<PfiStatus>().notNull(),
    to: text().$type<PfiStatus>().notNull(),
    comments: text(),
    /** The user's id; null where the caller did not prove who it is. */
    changedBy: text(),
    changedAt: timestamp().notNull(),
  },
  (table) => [index('reviews_participant').on(table.participantId, table.id)],
)
