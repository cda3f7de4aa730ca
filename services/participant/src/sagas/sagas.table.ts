import { boolean, index, integer, json, primaryKey, sql, table, text, timestamp, work } from '@bursar/store/schema'
import type { Failure, PlannedMember, ResolvedChanges, StepInput } from './saga-parts'

/**
 * Creations and changes of participants that need other services. A row is written before any service is called, and is
 * unfinished until its effect is in `participants`.
 */
export const sagas = table(
  'sagas',
  {
    /** For a creation, the participant's id; part of the idempotency keys of its calls. */
    id: text().primaryKey(),
    participantId: text().notNull(),
    kind: text({ enum: ['create', 'change'] }).notNull(),
    /** `undoing` is a failed saga whose records are not all marked deleted yet. */
    state: text({ enum: ['running', 'undoing', 'done', 'failed'] }).notNull(),
    /** True once all external ids were found free; nothing is created before. */
    checked: boolean().notNull(),
    /** A change besides its customers; null for a creation, and when finished. */
    changes: json<ResolvedChanges>(),
    /** The customers that the participant gets, in order; null where a step creates one. Those that join meanwhile come last. */
    members: json<PlannedMember[]>().notNull(),
    /** Tells a repeat of the request from another request. */
    requestHash: text().notNull(),
    idempotencyKey: text(),
    /** The id of the request that started it: its calls and events carry it, also after a restart. */
    requestId: text(),
    /** True once a request was answered with the result. */
    answered: boolean().notNull(),
    /** Why it failed, for the caller. */
    failure: json<Failure>(),
    /** Each step extends the lease. */
    ...work(),
    createdAt: timestamp().notNull(),
    finishedAt: timestamp(),
  },
  (table) => [
    index('sagas_unfinished').on(table.participantId).where(sql`${table.finishedAt} is null`),
    index('sagas_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index('sagas_finished_at').on(table.finishedAt),
  ],
)

/** The calls of a saga: each is retried until it has been carried out. */
export const steps = table(
  'saga_steps',
  {
    sagaId: text().notNull(),
    /** Counts from 0; part of the idempotency key of its call. */
    position: integer().notNull(),
    kind: text({ enum: ['create-customer', 'create-account', 'customer-status', 'account-status'] }).notNull(),
    /** The customer's position among the participant's customers. */
    member: integer().notNull(),
    input: json<StepInput>().notNull(),
    /** The record whose status is set, or that the step created; null before. */
    targetId: text(),
    done: boolean().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sagaId, table.position] })],
)
