import { getCustomerByExternalId, type NewCustomer } from '@bursar/contracts/customer'
import { AppError, CallError } from '@bursar/http'
import { putAccountStatus, putCustomerStatus, runStep, type StepDeps } from './run-step'
import { type SagaRow, type StepRow, stepsOf } from './saga'

/**
 * Marks what a failed saga has made as deleted: neither customers nor accounts can be removed. Answers with the ids of
 * its customers, for whoever asks for them next. May be repeated at will; rejects when it must be.
 */
export async function undo(deps: StepDeps, saga: SagaRow): Promise<string[]> {
  // Before the check nothing was made.
  if (!saga.checked) return []
  for (const step of await stepsOf(deps.store.read, saga.id)) {
    if (step.kind === 'create-customer' && !step.done) await settle(deps, step)
  }
  const made = (await stepsOf(deps.store.read, saga.id)).filter(({ done }) => done)
  const accounts = idsOf(made, 'create-account')
  for (const id of accounts) await unlessMissing(putAccountStatus(deps, id, deleted))
  const customers = idsOf(made, 'create-customer')
  for (const id of customers) await unlessMissing(putCustomerStatus(deps, id, deleted))
  return customers
}

const deleted = { status: 'deleted' } as const

const idsOf = (steps: StepRow[], kind: StepRow['kind']): string[] =>
  steps.flatMap((step) => (step.kind === kind && step.targetId !== null ? [step.targetId] : []))

/**
 * Finds out about a customer that was perhaps made in an attempt whose answer never came. Where there is one, repeating
 * the call makes no other: it gives ours, or is refused because it is another's. Accounts need no such care: those
 * that were perhaps made belong to a customer that is marked.
 */
async function settle(deps: StepDeps, step: StepRow): Promise<void> {
  const { externalId } = step.input as NewCustomer
  try {
    await deps.client.call(getCustomerByExternalId, { params: { externalId } })
    await runStep(deps, step, null)
  } catch (error) {
    if (error instanceof AppError || isMissing(error)) return
    throw error
  }
}

async function unlessMissing(call: Promise<void>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
}

const isMissing = (error: unknown): boolean => error instanceof CallError && error.status === 404
