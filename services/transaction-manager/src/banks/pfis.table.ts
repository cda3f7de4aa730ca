import type { PfiStatus } from '@bursar/contracts/main-api'
import { integer, table, text } from '@bursar/store/schema'

/** Replicas of the main API's participants. */
export const pfis = table('pfis', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** Normalised for searches. */
  nameKey: text().notNull(),
  status: text().$type<PfiStatus>().notNull(),
  epoch: integer().notNull(),
  version: integer().notNull(),
})
