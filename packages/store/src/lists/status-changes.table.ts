import type { Actor } from '@bursar/contracts/status-history'
import { index, table, text, timestamp } from '../schema/columns'

/**
 * Each change of a record's status, with who made it and why. Rows are only added: the migration that makes the table
 * has triggers that refuse anything else. Ids are UUID v7: their order is the age. Declared by each service that has it.
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
      /** `user`, `participant` or `service`; null where the caller did not prove who it is. */
      actorKind: text().$type<Actor['kind']>(),
      actorId: text(),
      at: timestamp().notNull(),
    },
    (table) => [index('status_changes_record').on(table.recordId, table.id)],
  )
