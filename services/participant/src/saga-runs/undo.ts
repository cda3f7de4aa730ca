import { getCustomerByExternalId, type NewCustomer } from '@bursar/contracts/customer'
import { AppError, orNull } from '@bursar/http'
import { type SagaRow, type StepRow, stepsOf } from '../sagas/saga'
import { runStep, type StepDeps, setAccountStatus, setCustomerStatus } from './run-step'

/**
 * Marks what a failed saga has made as deleted: neither customers nor accounts can be removed. Answers with the ids of
 * its customers, for the next request that names them. May be repeated at will; rejects when it must be.
 */
export async function undo(deps: StepDeps, saga: SagaRow): Promise<string[]> {
  // Before the check nothing was made.
  if (!saga.checked) return []
  for (const step of await stepsOf(deps.store.read, saga.id)) {
    if (step.kind === 'create-customer' && !step.done) await settle(deps, step)
  }
  const made = (await stepsOf(deps.store.read, saga.id)).filter(({ done }) => done)
  const customers = idsOf(made, 'create-customer')
  for (const id of idsOf(made, 'create-account')) await mark(deps, setAccountStatus, id)
  for (const id of customers) await mark(deps, setCustomerStatus, id)
  return customers
}

async function mark(deps: StepDeps, setStatus: typeof setAccountStatus, id: string): Promise<void> {
  deps.signal.throwIfAborted()
  // A record that its service does not know (any more) needs no mark.
  await orNull(setStatus(deps, id, deleted))
  await deps.hold.commit(async () => {})
}

const deleted = { status: 'deleted' } as const

const idsOf = (steps: StepRow[], kind: StepRow['kind']): string[] =>
  steps.flatMap((step) => (step.kind === kind && step.targetId !== null ? [step.targetId] : []))

/**
 * Settles whether a customer was made by an attempt whose answer was lost. Where the customer exists, repeating the call
 * makes no other: the answer is its own, or a refusal because the customer is another's. Accounts need no such care:
 * they belong to a customer that is marked.
 */
async function settle(deps: StepDeps, step: StepRow): Promise<void> {
  const { externalId } = step.input as NewCustomer
  if (!(await deps.client.find(getCustomerByExternalId, { params: { externalId } }))) return
  try {
    await runStep(deps, step, null)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
