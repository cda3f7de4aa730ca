import type { PfiStatus } from '@bursar/contracts/main-api'
import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/** The replica of the main API's institutions. */
export const pfis = table(
  'pfis',
  {
    id: text().primaryKey(),
    status: text().$type<PfiStatus>().notNull(),
    epoch: integer().notNull(),
    version: integer().notNull(),
  },
  (table) => [index('pfis_status').on(table.status)],
)

/** The replica of the participant service's participants. */
export const participants = table(
  'participants',
  {
    id: text().primaryKey(),
    deletedAt: timestamp(),
    epoch: integer().notNull(),
    version: integer().notNull(),
  },
  (table) => [index('participants_deleted_at').on(table.deletedAt)],
)
