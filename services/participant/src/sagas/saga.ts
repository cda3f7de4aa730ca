import type { NewAccount } from '@bursar/contracts/account'
import type { NewCustomer, StatusChange } from '@bursar/contracts/customer'
import { and, asc, type Db, eq, isNull, lt, param, params, prepared, type Tx } from '@bursar/store'
import type { ErrorCode } from '../errors'
import { sagas, steps } from './sagas.table'

/** What a participant's change comes down to, its key hashed and sealed. */
export interface ResolvedChanges {
  institutionName?: string
  routerData?: Record<string, unknown> | null
  keyHash?: string
  sealedKey?: string
}

/** A customer's id; null where a step makes it. */
export type PlannedMember = string | null

export type StepInput = NewCustomer | Omit<NewAccount, 'customerId'> | StatusChange

/** Why a saga failed, as its caller is told. */
export interface Failure {
  code: ErrorCode
  message: string
}

export type SagaRow = typeof sagas.$inferSelect
export type StepRow = typeof steps.$inferSelect

/** Throws when there is no such saga. */
export async function readSaga(connection: Db, id: string): Promise<SagaRow> {
  const row = await findSaga(connection, id)
  if (!row) throw new Error(`There is no saga ${id}`)
  return row
}

export async function findSaga(connection: Db, id: string): Promise<SagaRow | undefined> {
  const [row] = await sagaById(connection).execute({ id })
  return row
}

/** The saga that a participant is in; undefined when in none. */
export async function unfinishedSagaOf(connection: Db, participantId: string): Promise<SagaRow | undefined> {
  const [row] = await unfinishedByParticipant(connection).execute({ participantId })
  return row
}

/** Everything that is not finished, oldest first. */
export const unfinishedSagas = (connection: Db): Promise<{ id: string }[]> => allUnfinished(connection).execute()

/** A saga's steps in their order. */
export const stepsOf = (connection: Db, sagaId: string): Promise<StepRow[]> =>
  stepsBySaga(connection).execute({ sagaId })

/** How long a finished saga is known: as long as an idempotency key (decisions, Idempotency). */
const keptMs = 24 * 60 * 60 * 1000

/** Stores a new saga with its steps, and forgets those that are long finished. */
export async function addSaga(tx: Tx, row: SagaRow, planned: Omit<StepRow, 'sagaId'>[]): Promise<void> {
  await deleteFinished(tx).execute({ before: new Date(row.createdAt.getTime() - keptMs) })
  await insertSaga(tx).execute(row)
  for (const step of planned) await insertStep(tx).execute({ ...step, sagaId: row.id })
}

/** Writes what has become of a saga; the steps of a finished one are not needed any more. */
export async function saveSaga(tx: Tx, row: SagaRow): Promise<void> {
  await updateSaga(tx).execute(row)
  if (row.finishedAt !== null) await deleteSteps(tx).execute({ sagaId: row.id })
}

/** Notes that a step was carried out, and on which record. */
export async function finishStep(tx: Tx, { sagaId, position }: StepRow, targetId: string): Promise<void> {
  await updateStep(tx).execute({ sagaId, position, targetId })
}

/** The saga's customers in order, those that steps have made among them; null where a step has yet to. */
export const customersOf = (saga: SagaRow, steps: readonly StepRow[]): (string | null)[] =>
  saga.members.map(
    (id, member) =>
      id ?? steps.find((step) => step.kind === 'create-customer' && step.member === member)?.targetId ?? null,
  )

const sagaById = prepared((db) =>
  db
    .select()
    .from(sagas)
    .where(eq(sagas.id, param('id'))),
)
const unfinishedByParticipant = prepared((db) =>
  db
    .select()
    .from(sagas)
    .where(and(eq(sagas.participantId, param('participantId')), isNull(sagas.finishedAt))),
)
const allUnfinished = prepared((db) =>
  db.select({ id: sagas.id }).from(sagas).where(isNull(sagas.finishedAt)).orderBy(asc(sagas.id)),
)
const stepsBySaga = prepared((db) =>
  db
    .select()
    .from(steps)
    .where(eq(steps.sagaId, param('sagaId')))
    .orderBy(asc(steps.position)),
)
const insertSaga = prepared((db) => db.insert(sagas).values(params(sagas)))
const insertStep = prepared((db) => db.insert(steps).values(params(steps)))
const updateSaga = prepared((db) =>
  db
    .update(sagas)
    .set(params(sagas) as Partial<SagaRow>)
    .where(eq(sagas.id, param('id'))),
)
const updateStep = prepared((db) =>
  db
    .update(steps)
    .set({ targetId: param('targetId'), done: true })
    .where(and(eq(steps.sagaId, param('sagaId')), eq(steps.position, param('position')))),
)
const deleteSteps = prepared((db) => db.delete(steps).where(eq(steps.sagaId, param('sagaId'))))
const deleteFinished = prepared((db) => db.delete(sagas).where(lt(sagas.finishedAt, param('before'))))
