import { index, integer, sql, table, text, timestamp, work } from '@bursar/store/schema'

/** `invitation`: its first user, to the identity manager. `admission`: its name and API key, to the participant service. */
export type HandoverKind = 'invitation' | 'admission'

/** `failed`: it was refused for good. */
export type HandoverStatus = 'pending' | 'done' | 'failed'

/** What other services have to take over of a participant, and how far that is. A worker carries it out (handing.ts). */
export const handovers = table(
  'handovers',
  {
    /** The participant’s, a colon and the kind. */
    id: text().primaryKey(),
    participantId: text().notNull(),
    kind: text().$type<HandoverKind>().notNull(),
    status: text().$type<HandoverStatus>().notNull(),
    // What is done may be due again long after: when a key expires.
    ...work(),
    /** Higher each time that there is something new to hand over: what was done for a lower one is not the end. */
    revision: integer().notNull(),
    doneAt: timestamp(),
  },
  (table) => [
    index('handovers_due_at').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index('handovers_pending').on(table.dueAt).where(sql`${table.status} = 'pending'`),
  ],
)
