import { boolean, index, json, table, text, timestamp } from '@bursar/store/schema'
import type { Preferences } from './desk.model'

/** One row per person. */
export const consolePreferences = table('console_preferences', {
  userId: text().primaryKey(),
  preferences: json<Preferences>().notNull(),
  changedAt: timestamp().notNull(),
})

/** Saved filters of a list: a person's own, and shared ones. */
export const savedViews = table(
  'saved_views',
  {
    id: text().primaryKey(),
    /** The path of the list: `/console/transactions`. */
    page: text().notNull(),
    name: text().notNull(),
    /** The query of its URL, without the question mark. */
    query: text().notNull(),
    ownerId: text().notNull(),
    isShared: boolean().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('saved_views_page').on(table.page, table.id), index('saved_views_owner').on(table.ownerId)],
)

/** The person assigned to review a transaction. */
export const reviewAssignments = table('review_assignments', {
  transactionId: text().primaryKey(),
  userId: text().notNull(),
  assignedBy: text().notNull(),
  assignedAt: timestamp().notNull(),
})

/** Comments of staff on a transaction. */
export const reviewComments = table(
  'review_comments',
  {
    id: text().primaryKey(),
    transactionId: text().notNull(),
    authorId: text().notNull(),
    text: text().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('review_comments_transaction').on(table.transactionId, table.id)],
)
