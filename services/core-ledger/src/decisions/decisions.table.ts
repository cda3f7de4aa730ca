import { integer, primaryKey, table, text, timestamp } from '@bursar/store/schema'

/** What people have entered and decided; rows are added, and a trigger refuses to change or delete one. */
export const decisions = table(
  'decisions',
  {
    transactionId: text().notNull(),
    /** From 1 within its transaction. */
    number: integer().notNull(),
    decision: text().$type<DecisionKind>().notNull(),
    /** Null when the caller proved nothing: the service was called directly, past the gateway. */
    actorKind: text().$type<ActorKind>(),
    actorId: text(),
    note: text(),
    at: timestamp().notNull(),
  },
  (table) => [primaryKey({ columns: [table.transactionId, table.number] })],
)

/**
 * `ENTERED`: a person ordered the transaction, or recorded the deposit. `PROPOSED`: the first of two approvals.
 * `RELEASED`: a deposit was credited from suspense after all; `RELEASE_PROPOSED`: the first of two that want it.
 * `RETURNED`: it was sent back to its source; `RETURN_PROPOSED`: the first of two that want that.
 */
export const decisionKinds = [
  'ENTERED',
  'PROPOSED',
  'APPROVED',
  'REJECTED',
  'FAILED',
  'RETRIED',
  'RELEASE_PROPOSED',
  'RELEASED',
  'RETURN_PROPOSED',
  'RETURNED',
] as const
export type DecisionKind = (typeof decisionKinds)[number]

export const actorKinds = ['user', 'participant', 'service', 'anonymous'] as const
export type ActorKind = (typeof actorKinds)[number]
