import { getCustomerByExternalId, type NewCustomer } from '@bursar/contracts/customer'
import { AppError, CallError } from '@bursar/http'
import type { ErrorCode } from '../errors'
import { abandon, finish } from './finish'
import { inLanes } from './lanes'
import { externalIdTaken } from './plan'
import { runStep, type StepDeps } from './run-step'
import { customersOf, readSaga, type SagaRow, type StepRow, saveSaga, stepsOf } from './saga'
import { undo } from './undo'

/**
 * Brings a saga to its end, from wherever it was left: checks that its external ids are free, makes customers, then
 * accounts, then sets statuses, then gives the participant what was made, in one commit. When something is refused for
 * good, what was made is marked deleted. Rejects when a peer is away or busy: call it again later.
 */
export async function carryOn(deps: StepDeps, id: string): Promise<void> {
  let saga = await readSaga(deps.store.read, id)
  if (saga.state === 'running') {
    try {
      await perform(deps, saga)
      await deps.store.commit((tx) => finish(tx, id))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await deps.store.commit(async (tx) => {
        const failure = { code: error.code as ErrorCode, message: error.message }
        await saveSaga(tx, { ...(await readSaga(tx, id)), state: 'undoing', failure })
      })
    }
    saga = await readSaga(deps.store.read, id)
  }
  if (saga.state !== 'undoing') return
  const orphans = await undo(deps, saga)
  await deps.store.commit((tx) => abandon(tx, id, orphans))
}

const phases: StepRow['kind'][][] = [['create-customer'], ['create-account'], ['customer-status', 'account-status']]

async function perform(deps: StepDeps, saga: SagaRow): Promise<void> {
  if (!saga.checked) {
    await checkExternalIds(deps, await stepsOf(deps.store.read, saga.id))
    await deps.store.commit(async (tx) => saveSaga(tx, { ...(await readSaga(tx, saga.id)), checked: true }))
  }
  for (const kinds of phases) {
    const steps = await stepsOf(deps.store.read, saga.id)
    const customerIds = customersOf(saga, steps)
    const left = steps.filter((step) => kinds.includes(step.kind) && !step.done)
    // A customer's accounts one after another: they are shown in the order of their making.
    const byCustomer = Map.groupBy(left, ({ member }) => member)
    await inLanes([...byCustomer], async ([member, own]) => {
      for (const step of own) await runStep(deps, step, customerIds[member] ?? null)
    })
  }
}

/** Before anything is made: most failures are external ids that are taken, and then there is nothing to undo. */
async function checkExternalIds({ client }: StepDeps, steps: readonly StepRow[]): Promise<void> {
  const made = steps.filter(({ kind }) => kind === 'create-customer')
  await inLanes(made, async ({ input }) => {
    const { externalId } = input as NewCustomer
    try {
      await client.call(getCustomerByExternalId, { params: { externalId } })
    } catch (error) {
      if (error instanceof CallError && error.status === 404) return
      throw error
    }
    throw externalIdTaken(externalId)
  })
}
