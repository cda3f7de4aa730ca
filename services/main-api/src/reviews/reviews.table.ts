import type { PfiStatus } from '@bursar/contracts/main-api'
import type { Actor } from '@bursar/contracts/status-history'
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
    /** The id of who did it; null where the caller did not prove who it is. */
    changedBy: text(),
    /** What that is; null for a user in rows from before it was kept. */
    changedByKind: text().$type<Actor['kind']>(),
    changedAt: timestamp().notNull(),
  },
  (table) => [index('reviews_participant').on(table.participantId, table.id)],
)
