import {
  type Db,
  deleteBefore,
  deleteBy,
  insertAll,
  insertInto,
  isNull,
  rowBy,
  rowsBy,
  type Tx,
  updateBy,
  waitingSince,
} from '@bursar/store'
import { sagas, steps } from './sagas.table'

export type SagaRow = typeof sagas.$inferSelect
export type StepRow = typeof steps.$inferSelect
export type PlannedStep = Omit<StepRow, 'sagaId'>

/** What a saga is to do, and the request that it is of. */
type NewSaga = Pick<
  SagaRow,
  'id' | 'participantId' | 'kind' | 'changes' | 'members' | 'requestHash' | 'idempotencyKey' | 'requestId'
>

/** Throws when there is no such saga. */
export async function readSaga(db: Db, id: string): Promise<SagaRow> {
  const row = await findSaga(db, id)
  if (!row) throw new Error(`There is no saga ${id}`)
  return row
}

/** Undefined when there is no such saga. */
export const findSaga = rowBy(sagas, 'id')

/** The unfinished saga of a participant; undefined when there is none. */
export const unfinishedSagaOf = rowBy(sagas, 'participantId', isNull(sagas.finishedAt))

/**
 * Adds a customer, as the last one, to those that a participant gets by its unfinished saga: it became the participant's
 * after the saga was planned, so the request does not leave it out.
 */
export async function joinSaga(tx: Tx, participantId: string, customerId: string): Promise<void> {
  const saga = await unfinishedSagaOf(tx, participantId)
  if (saga) await updateMembers(tx).execute({ id: saga.id, members: [...saga.members, customerId] })
}

/** A saga's steps in their order. */
export const stepsOf = rowsBy(steps, 'sagaId', 'position')

/** Finished sagas are kept as long as idempotency keys (decisions, Idempotency). */
const keptMs = 24 * 60 * 60 * 1000

/** Stores a new saga, due at once, with its steps, and deletes those that finished long ago. */
export async function addSaga(tx: Tx, saga: NewSaga, planned: readonly PlannedStep[], now: Date): Promise<void> {
  await deleteFinished(tx, new Date(now.getTime() - keptMs))
  const progress = { state: 'running', checked: false, answered: false, failure: null, finishedAt: null } as const
  await insertSaga(tx).execute({ ...saga, ...progress, ...waitingSince(now), createdAt: now })
  await insertSteps(
    tx,
    planned.map((step) => ({ ...step, sagaId: saga.id })),
  )
}

/** Stores a saga's progress, and deletes the steps of a finished one. The queue stores its lease. */
export async function saveSaga(tx: Tx, row: SagaRow): Promise<void> {
  await updateSaga(tx).execute(row)
  if (row.finishedAt !== null) await deleteSteps(tx).execute({ sagaId: row.id })
}

/** Records that a step was carried out, and on which record. */
export async function finishStep(tx: Tx, { sagaId, position }: StepRow, targetId: string): Promise<void> {
  await updateStep(tx).execute({ sagaId, position, targetId, done: true })
}

/** The saga's customers in order, including those that its steps created; null where a step is still to run. */
export const customersOf = (saga: SagaRow, steps: readonly StepRow[]): (string | null)[] =>
  saga.members.map(
    (id, member) =>
      id ?? steps.find((step) => step.kind === 'create-customer' && step.member === member)?.targetId ?? null,
  )

const insertSaga = insertInto(sagas)
const insertSteps = insertAll(steps)
const updateSaga = updateBy(sagas, 'id', ['state', 'checked', 'changes', 'answered', 'failure', 'finishedAt'])
const updateMembers = updateBy(sagas, 'id', ['members'])
const updateStep = updateBy(steps, ['sagaId', 'position'], ['targetId', 'done'])
const deleteSteps = deleteBy(steps, 'sagaId')
const deleteFinished = deleteBefore(sagas, 'finishedAt')
