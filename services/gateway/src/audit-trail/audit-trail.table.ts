import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/** What a row of the audit trail is: the act as it was asked for, or how it was answered. */
export type AuditStep = 'asked' | 'answered'

/** Where an act came in; `start` for what the gateway found at its start. */
export type AuditDoor = 'console' | 'api' | 'start'

/**
 * Administrative acts, two rows each: one before the act is sent on, one once it was answered. Rows are only added:
 * triggers refuse UPDATE and DELETE, and each row has the hash of the one before (chain.ts).
 */
export const auditTrail = table(
  'audit_trail',
  {
    /** 1, 2, 3 …: without a gap. */
    number: integer().primaryKey({ autoIncrement: true }),
    /** Both rows of an act have the same, a UUID v7. */
    actId: text().notNull(),
    step: text().$type<AuditStep>().notNull(),
    at: timestamp().notNull(),
    door: text().$type<AuditDoor>().notNull(),
    /** The user's id; the address of one that is not logged in; `gateway` at its start. */
    actor: text().notNull(),
    /** The roles that it had, with commas. */
    roles: text().notNull(),
    /** The session that it acted in. */
    session: text(),
    /** That it came from. */
    address: text().notNull(),
    service: text().notNull(),
    /** The method and the route as the table of routes has it: `PUT /accounts/:id`. */
    action: text().notNull(),
    /** The id of what it was about; of what it made, in the second row. */
    object: text(),
    /** Of the answer; null in the first row, and for an act that was never answered. */
    status: integer(),
    requestId: text().notNull(),
    /** JSON without secrets: `{request, before}` in the first row, `{after, answer, problem}` in the second. */
    detail: text().notNull(),
    /** Of the row before, hex. */
    previousHash: text().notNull(),
    /** SHA-256 over the previous hash and all of this, hex. */
    hash: text().notNull(),
  },
  (table) => [
    // Ids of acts are UUID v7: their order is the age.
    index('audit_trail_act').on(table.actId),
    index('audit_trail_actor').on(table.actor, table.actId),
    index('audit_trail_action').on(table.action, table.actId),
    index('audit_trail_object').on(table.object, table.actId),
  ],
)
