import { boolean, index, integer, json, primaryKey, sql, table, text, timestamp } from '@bursar/store/schema'
import type { Failure, PlannedMember, ResolvedChanges, StepInput } from './saga'

/**
 * Creations and changes of participants that need other services. A row is written before anybody is called, and is
 * unfinished until its effect is in `participants`.
 */
export const sagas = table(
  'sagas',
  {
    /** Of a creation the participant's own; part of the idempotency keys of its calls. */
    id: text().primaryKey(),
    participantId: text().notNull(),
    kind: text({ enum: ['create', 'change'] }).notNull(),
    /** `undoing` is a failure whose traces are still being removed. */
    state: text({ enum: ['running', 'undoing', 'done', 'failed'] }).notNull(),
    /** True once it was made sure that no external id is taken; before that nothing was made. */
    checked: boolean().notNull(),
    /** What a change changes besides the customers; null for a creation, and when finished. */
    changes: json<ResolvedChanges>(),
    /** The customers that the participant gets, in order; null where a step makes one. */
    members: json<PlannedMember[]>().notNull(),
    /** Tells a repeat of the request from another request. */
    requestHash: text().notNull(),
    idempotencyKey: text(),
    /** The request that began it: its calls and events carry its id, also after a restart. */
    requestId: text(),
    /** True when a request was told the result. */
    answered: boolean().notNull(),
    /** Why it failed, for the caller. */
    failure: json<Failure>(),
    createdAt: timestamp().notNull(),
    finishedAt: timestamp(),
  },
  (table) => [
    index('sagas_unfinished').on(table.participantId).where(sql`${table.finishedAt} is null`),
    index('sagas_finished_at').on(table.finishedAt),
  ],
)

/** The calls of a saga: each is made until it is known to have been carried out. */
export const steps = table(
  'saga_steps',
  {
    sagaId: text().notNull(),
    /** Counts from 0; part of the idempotency key of its call. */
    position: integer().notNull(),
    kind: text({ enum: ['create-customer', 'create-account', 'customer-status', 'account-status'] }).notNull(),
    /** Which of the participant's customers it is about. */
    member: integer().notNull(),
    input: json<StepInput>().notNull(),
    /** The record whose status is set, or that was made; null before. */
    targetId: text(),
    done: boolean().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sagaId, table.position] })],
)
