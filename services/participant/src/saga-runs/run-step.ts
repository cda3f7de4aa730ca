import { changeAccount, createAccount, type NewAccount } from '@bursar/contracts/account'
import {
  changeCustomer,
  createCustomer,
  getCustomerByExternalId,
  type NewCustomer,
  type StatusChange,
} from '@bursar/contracts/customer'
import { CallError, type Client, isRefused } from '@bursar/http'
import type { Store } from '@bursar/store'
import { fail } from '../errors'
import { learnCustomer } from '../members/customer-replicas'
import { externalIdTaken } from '../members/members'
import { learnAccount } from '../own-accounts/account-replicas'
import { finishStep, type StepRow } from '../sagas/saga'
import type { Hold } from './hold'

export interface StepDeps {
  store: Store
  client: Client
  /** Aborted when the service stops: no further step is started. */
  signal: AbortSignal
  now: () => Date
  hold: Hold
}

/**
 * Carries out one step and records it. Idempotent: creations have their own idempotency key,
 * and setting a status twice is harmless. Rejects with an AppError when the step can never succeed, with anything else
 * when it may succeed later.
 */
export async function runStep(deps: StepDeps, step: StepRow, customerId: string | null): Promise<void> {
  deps.signal.throwIfAborted()
  try {
    const targetId = await carryOut[step.kind](deps, step, customerId)
    await deps.hold.commit((tx) => finishStep(tx, step, targetId))
  } catch (error) {
    throw isRefusal(error) ? refusal(error) : error
  }
}

/** Returns the id of the record. */
type CarryOut = (deps: StepDeps, step: StepRow, customerId: string | null) => Promise<string>

const carryOut: Record<StepRow['kind'], CarryOut> = {
  'create-customer': makeCustomer,
  'create-account': makeAccount,
  'customer-status': async (deps, step) => setCustomerStatus(deps, targetOf(step), step.input as StatusChange),
  'account-status': async (deps, step) => setAccountStatus(deps, targetOf(step), step.input as StatusChange),
}

async function makeCustomer(deps: StepDeps, step: StepRow): Promise<string> {
  const { client } = deps
  const body = step.input as NewCustomer
  const create = () => client.call(createCustomer, { body, idempotencyKey: keyOf(step) })
  const { id } = await create().catch(async (error: unknown) => {
    if (!isConflict(error)) throw error
    // The customer belongs to another, or to an earlier attempt of this call that is still running. Once the customer
    // exists that attempt has ended: its answer is replayed, or the call is refused again.
    const { externalId } = body
    if (!(await client.find(getCustomerByExternalId, { query: { externalId } }))) {
      throw new CallError('timeout', 'customer', 'The customer service is still busy with an earlier attempt')
    }
    return await create().catch((again: unknown) => {
      throw isConflict(again) ? externalIdTaken(externalId) : again
    })
  })
  await learnCustomer(deps, id)
  return id
}

async function makeAccount(deps: StepDeps, step: StepRow, customerId: string | null): Promise<string> {
  if (customerId === null) throw new Error(`Step ${step.position} of saga ${step.sagaId} came before its customer`)
  const body = { ...(step.input as NewAccount), customerId }
  // It has no unique field: a conflict means that an earlier attempt is still running.
  const { id } = await deps.client.call(createAccount, { body, idempotencyKey: keyOf(step) })
  await learnAccount(deps, id)
  return id
}

/** Sets a customer's status at its service, and in the replica; returns its id. */
export async function setCustomerStatus(deps: StepDeps, id: string, body: StatusChange): Promise<string> {
  await deps.client.call(changeCustomer, { params: { id }, body })
  await learnCustomer(deps, id)
  return id
}

/** Sets an account's status at its service, and in the replica; returns its id. */
export async function setAccountStatus(deps: StepDeps, id: string, body: StatusChange): Promise<string> {
  await deps.client.call(changeAccount, { params: { id }, body })
  await learnAccount(deps, id)
  return id
}

function targetOf({ sagaId, position, targetId }: StepRow): string {
  if (targetId === null) throw new Error(`Step ${position} of saga ${sagaId} has no target`)
  return targetId
}

/** The idempotency key of a step's call, the same at each attempt. */
const keyOf = ({ sagaId, position }: StepRow): string => `${sagaId}.${position}`

const isConflict = (error: unknown): boolean => isRefused(error, 409)

const finalStatuses = [400, 404, 413, 422]

/** Whether a retry would get the same answer. */
const isRefusal = (error: unknown): error is CallError => isRefused(error, ...finalStatuses)

const refusal = (error: CallError) =>
  fail('UPSTREAM_ERROR', { message: `The ${error.service} service refused: ${error.message}`, cause: error })
