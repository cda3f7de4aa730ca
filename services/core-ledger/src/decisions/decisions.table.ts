import { integer, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** People's entries and decisions; rows are only added: a trigger refuses to change or delete one. */
export const decisions = table(
  'decisions',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    transactionId: text().notNull(),
    /** The number within its transaction, from 1. */
    number: integer().notNull(),
    decision: text().$type<DecisionKind>().notNull(),
    /** Null for an unauthenticated caller: the service was called directly, without the gateway. */
    actorKind: text().$type<ActorKind>(),
    actorId: text(),
    note: text(),
    at: timestamp().notNull(),
  },
  (table) => [uniqueIndex('decisions_transaction').on(table.transactionId, table.number)],
)

/**
 * `ENTERED`: a person created the transaction, or recorded the deposit. `PROPOSED`: the first of two approvals.
 * `RELEASED`: a deposit was credited from suspense after all; `RELEASE_PROPOSED`: by the first of two persons.
 * `RETURNED`: the deposit's return to its source was ordered; `RETURN_PROPOSED`: by the first of two persons.
 * `COVERED`: what its chain has taken back, or what an unbooked payment has cost, was replaced; `COVER_PROPOSED`: by the first of two persons.
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
  'COVER_PROPOSED',
  'COVERED',
] as const
export type DecisionKind = (typeof decisionKinds)[number]

export const actorKinds = ['user', 'participant', 'service', 'anonymous'] as const
export type ActorKind = (typeof actorKinds)[number]
