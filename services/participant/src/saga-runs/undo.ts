import { getCustomerByExternalId, type NewCustomer } from '@bursar/contracts/customer'
import { AppError, orNull } from '@bursar/http'
import { type SagaRow, type StepRow, stepsOf } from '../sagas/saga'
import { runStep, type StepDeps, setAccountStatus, setCustomerStatus } from './run-step'

/**
 * Marks the records of a failed saga as deleted, since neither customers nor accounts can be removed. Returns the ids
 * of its customers, for the next request that names them. Idempotent; rejects when it must be retried.
 */
export async function undo(deps: StepDeps, saga: SagaRow): Promise<string[]> {
  // Nothing is created before the check.
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
  // A record that its service does not know needs no mark.
  await orNull(setStatus(deps, id, deleted))
  await deps.hold.commit(async () => {})
}

const deleted = { status: 'deleted' } as const

const idsOf = (steps: StepRow[], kind: StepRow['kind']): string[] =>
  steps.flatMap((step) => (step.kind === kind && step.targetId !== null ? [step.targetId] : []))

/**
 * Finds out whether an attempt whose answer was lost created a customer. If the customer exists, repeating the call
 * creates no other: the answer is the replayed one, or a refusal because the customer is another's. Accounts need no
 * such check: they belong to a marked customer.
 */
async function settle(deps: StepDeps, step: StepRow): Promise<void> {
  const { externalId } = step.input as NewCustomer
  if (!(await deps.client.find(getCustomerByExternalId, { query: { externalId } }))) return
  try {
    await runStep(deps, step, null)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
