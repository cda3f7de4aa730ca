import type { Actor } from '@bursar/contracts/status-history'
import { index, table, text, timestamp } from '../schema/columns'

/**
 * Each change of a record's status, with the actor and the reason. Rows are only added: triggers of the migration
 * refuse anything else. Ids are UUID v7: they sort by age. Declared by each service that has it.
 */
export const statusChangesTable = () =>
  table(
    'status_changes',
    {
      id: text().primaryKey(),
      recordId: text().notNull(),
      from: text().notNull(),
      to: text().notNull(),
      reason: text(),
      /** `user`, `participant` or `service`; null for an unauthenticated caller. */
      actorKind: text().$type<Actor['kind']>(),
      actorId: text(),
      at: timestamp().notNull(),
    },
    (table) => [index('status_changes_record').on(table.recordId, table.id)],
  )
