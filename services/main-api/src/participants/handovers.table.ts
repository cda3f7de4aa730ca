import { index, integer, sql, table, text, timestamp, work } from '@bursar/store/schema'

/**
 * `invitation`: its first user, to the identity manager. `admission`: its name and API key, to the participant service.
 */
export type HandoverKind = 'invitation' | 'admission'

/** `failed`: it was refused permanently. */
export type HandoverStatus = 'pending' | 'done' | 'failed'

/** The handovers of participants to other services, with their state. A worker carries them out (handing.ts). */
export const handovers = table(
  'handovers',
  {
    /** The participant’s, a colon and the kind. */
    id: text().primaryKey(),
    participantId: text().notNull(),
    kind: text().$type<HandoverKind>().notNull(),
    status: text().$type<HandoverStatus>().notNull(),
    // A completed handover may become due again much later, when a key expires.
    ...work(),
    /** Raised by each new request: completing a lower revision does not complete the handover. */
    revision: integer().notNull(),
    doneAt: timestamp(),
  },
  (table) => [
    index('handovers_due_at').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index('handovers_pending').on(table.dueAt).where(sql`${table.status} = 'pending'`),
  ],
)
