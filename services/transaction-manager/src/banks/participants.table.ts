import { integer, table, text, timestamp } from '@bursar/store/schema'

/** Replicas of the participant service's participants: which institutions were deleted there. */
export const participants = table('participants', {
  id: text().primaryKey(),
  deletedAt: timestamp(),
  epoch: integer().notNull(),
  version: integer().notNull(),
})
