import type { PfiStatus } from '@bursar/contracts/main-api'
import type { Actor } from '@bursar/contracts/status-history'
import { index, table, text, timestamp } from '@bursar/store/schema'

/** The decisions of the reviews of participants. Rows are only added. Ids are UUID v7: they sort by age. */
export const reviews = table(
  'reviews',
  {
    id: text().primaryKey(),
    participantId: text().notNull(),
    from: text().$type<PfiStatus>().notNull(),
    to: text().$type<PfiStatus>().notNull(),
    comments: text(),
    /** The id of the actor; null for an anonymous caller. */
    changedBy: text(),
    /** The kind of actor; null means a user in older rows. */
    changedByKind: text().$type<Actor['kind']>(),
    changedAt: timestamp().notNull(),
  },
  (table) => [index('reviews_participant').on(table.participantId, table.id)],
)
