import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/** What a row of the audit trail is: the requested action, or its outcome. */
type AuditStep = 'asked' | 'answered'

/** How an action arrived: `command` on the machine itself; `start` for findings of the gateway at its start. */
export type AuditDoor = 'console' | 'api' | 'command' | 'start'

/**
 * Administrative actions, two rows each: one before the action is forwarded, one after its answer. Rows are only added:
 * triggers refuse UPDATE and DELETE, and each row has the hash of the one before (chain.ts).
 */
export const auditTrail = table(
  'audit_trail',
  {
    /** 1, 2, 3 …: without a gap. */
    number: integer().primaryKey({ autoIncrement: true }),
    /** Shared by both rows of an action, a UUID v7. */
    actId: text().notNull(),
    step: text().$type<AuditStep>().notNull(),
    at: timestamp().notNull(),
    door: text().$type<AuditDoor>().notNull(),
    /** The user's id; the address of an anonymous one; `gateway` at its start. */
    actor: text().notNull(),
    /** Its roles, comma-separated. */
    roles: text().notNull(),
    /** Its session. */
    session: text(),
    /** The client address. */
    address: text().notNull(),
    service: text().notNull(),
    /** The method and the route as the table of routes has it: `PUT /accounts/:id`. */
    action: text().notNull(),
    /** The id of its object; in the second row, of the created object. */
    object: text(),
    /** The status of the answer; null in the first row, and without an answer. */
    status: integer(),
    requestId: text().notNull(),
    /** JSON without secrets: `{request, before}` in the first row, `{after, answer, problem}` in the second. */
    detail: text().notNull(),
    /** The hash of the previous row, hex. */
    previousHash: text().notNull(),
    /** SHA-256 over the previous hash and all other columns, hex. */
    hash: text().notNull(),
  },
  (table) => [
    // Ids of actions are UUID v7: they sort by age.
    index('audit_trail_act').on(table.actId),
    index('audit_trail_actor').on(table.actor, table.actId),
    index('audit_trail_action').on(table.action, table.actId),
    index('audit_trail_object').on(table.object, table.actId),
  ],
)
