import { getCustomerByExternalId, type NewCustomer } from '@bursar/contracts/customer'
import { AppError, mapConcurrent } from '@bursar/http'
import type { ErrorCode } from '../errors'
import { externalIdTaken, refuseOthers } from '../members/members'
import { customersOf, readSaga, type SagaRow, type StepRow, saveSaga, stepsOf } from '../sagas/saga'
import { abandon, finish } from './finish'
import { runStep, type StepDeps } from './run-step'
import { undo } from './undo'

/**
 * Completes a saga from wherever it was left: checks that its external ids are free, creates customers, then
 * accounts, then sets statuses, then gives them to the participant, in one commit. When a step is refused
 * permanently, the created records are marked deleted. Rejects when a peer is unreachable or busy: retry later.
 */
export async function resumeSaga(deps: StepDeps, id: string): Promise<void> {
  const { store, hold, now } = deps
  const saga = await readSaga(store.read, id)
  if (saga.state === 'running') {
    try {
      await perform(deps, saga)
      await hold.finish((tx) => finish(tx, id, now()))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const failure = { code: error.code as ErrorCode, message: error.message }
      await hold.commit(async (tx) => saveSaga(tx, { ...(await readSaga(tx, id)), state: 'undoing', failure }))
    }
  }
  const failed = await readSaga(store.read, id)
  if (failed.state !== 'undoing') return
  const orphans = await undo(deps, failed)
  await hold.finish((tx) => abandon(tx, id, orphans, now()))
}

const phases: StepRow['kind'][][] = [['create-customer'], ['create-account'], ['customer-status', 'account-status']]

/** Concurrent calls of a saga. */
const callsAtOnce = 8

async function perform(deps: StepDeps, saga: SagaRow): Promise<void> {
  const { store, hold } = deps
  if (!saga.checked) {
    await checkExternalIds(deps, await stepsOf(store.read, saga.id))
    await hold.commit(async (tx) => saveSaga(tx, { ...(await readSaga(tx, saga.id)), checked: true }))
  }
  for (const kinds of phases) {
    const steps = await stepsOf(store.read, saga.id)
    const customerIds = customersOf(saga, steps)
    // Of what was nobody's at the plan, another participant's is left as its owner has it.
    await refuseOthers(store.read, saga.participantId, customerIds)
    const left = steps.filter((step) => kinds.includes(step.kind) && !step.done)
    // The accounts of a customer are created one after another, because they are returned in the order of their ids.
    const byCustomer = Map.groupBy(left, ({ member }) => member)
    await mapConcurrent([...byCustomer], callsAtOnce, async ([member, own]) => {
      for (const step of own) await runStep(deps, step, customerIds[member] ?? null)
    })
  }
}

/** Runs before anything is created: most failures are taken external ids, and then there is nothing to undo. */
async function checkExternalIds({ client, signal }: StepDeps, steps: readonly StepRow[]): Promise<void> {
  const made = steps.filter(({ kind }) => kind === 'create-customer')
  await mapConcurrent(made, callsAtOnce, async ({ input }) => {
    signal.throwIfAborted()
    const { externalId } = input as NewCustomer
    if (await client.find(getCustomerByExternalId, { query: { externalId } })) throw externalIdTaken(externalId)
  })
}
