import type { PfiStatus } from '@bursar/contracts/main-api'
import { index, integer, table, text, timestamp } from '../schema/columns'

/**
 * The replica of the main API's institutions: their status decides what they may do. Declared by each service that has
 * it.
 */
export const pfisTable = () =>
  table(
    'pfis',
    {
      id: text().primaryKey(),
      status: text().$type<PfiStatus>().notNull(),
      epoch: integer().notNull(),
      version: integer().notNull(),
    },
    (table) => [index('pfis_status').on(table.status)],
  )

/** The replica of the participant service's participants: which were deleted. Declared by each service that has it. */
export const participantsTable = () =>
  table(
    'participants',
    {
      id: text().primaryKey(),
      deletedAt: timestamp(),
      epoch: integer().notNull(),
      version: integer().notNull(),
    },
    (table) => [index('participants_deleted_at').on(table.deletedAt)],
  )
