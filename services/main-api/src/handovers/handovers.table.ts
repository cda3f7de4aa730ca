import { index, integer, primaryKey, sql, table, text, timestamp } from '@bursar/store/schema'

/** `invitation`: its first user, to the identity manager. `admission`: its name and API key, to the participant service. */
export type HandoverKind = 'invitation' | 'admission'

/** `failed`: it was refused for good. */
export type HandoverStatus = 'pending' | 'done' | 'failed'

/** What other services have to take over of a participant, and how far that is. A worker carries it out (handing.ts). */
export const handovers = table(
  'handovers',
  {
    participantId: text().notNull(),
    kind: text().$type<HandoverKind>().notNull(),
    status: text().$type<HandoverStatus>().notNull(),
    /** When it is to be done (again), which can be long after it was done; null while there is nothing to do. */
    dueAt: timestamp(),
    /** Until when a worker has it alone. */
    leasedUntil: timestamp(),
    /** Higher each time that there is something new to hand over: what was done for a lower one is not the end. */
    revision: integer().notNull(),
    /** Attempts that failed since the last one that did not. */
    attempts: integer().notNull(),
    doneAt: timestamp(),
    /** Why the last attempt failed; null where it did not. */
    problem: text(),
  },
  (table) => [
    primaryKey({ columns: [table.participantId, table.kind] }),
    index('handovers_due_at').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index('handovers_pending').on(table.dueAt).where(sql`${table.status} = 'pending'`),
  ],
)
