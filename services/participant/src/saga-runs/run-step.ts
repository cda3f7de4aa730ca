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
import { learnAccount } from '../own-accounts/account-replicas'
import { externalIdTaken } from '../participants/plan'
import { finishStep, type StepRow } from '../sagas/saga'
import type { Hold } from './hold'

export interface StepDeps {
  store: Store
  client: Client
  /** Aborted when the service stops: no more steps are begun. */
  signal: AbortSignal
  now: () => Date
  hold: Hold
}

/**
 * Carries out one step and notes it. May be repeated at will: what it makes is made under an idempotency key of its own,
 * and a status that is set twice is set. Rejects with an AppError when it never can be carried out, with anything else
 * when it may be later.
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

/** Answers with the id of the record. */
type CarryOut = (deps: StepDeps, step: StepRow, customerId: string | null) => Promise<string>

const carryOut: Record<StepRow['kind'], CarryOut> = {
  'create-customer': makeCustomer,
  'create-account': makeAccount,
  'customer-status': async (deps, step) => {
    await setCustomerStatus(deps, targetOf(step), step.input as StatusChange)
    return targetOf(step)
  },
  'account-status': async (deps, step) => {
    await setAccountStatus(deps, targetOf(step), step.input as StatusChange)
    return targetOf(step)
  },
}

async function makeCustomer(deps: StepDeps, step: StepRow): Promise<string> {
  const { client } = deps
  const body = step.input as NewCustomer
  const create = () => client.call(createCustomer, { body, idempotencyKey: keyOf(step) })
  const { id } = await create().catch(async (error: unknown) => {
    if (!isConflict(error)) throw error
    // The customer is another's, or made by an earlier attempt of this call that is still under way. Once the customer
    // exists that attempt is over: its answer is replayed now, or the call is refused again.
    const { externalId } = body
    if (!(await client.find(getCustomerByExternalId, { params: { externalId } }))) {
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
  // Nothing in it is unique: a conflict is an earlier attempt that is still under way.
  const { id } = await deps.client.call(createAccount, { body, idempotencyKey: keyOf(step) })
  await learnAccount(deps, id)
  return id
}

/** Sets a customer's status at its service, and in the replica. */
export async function setCustomerStatus(deps: StepDeps, id: string, body: StatusChange): Promise<void> {
  await deps.client.call(changeCustomer, { params: { id }, body })
  await learnCustomer(deps, id)
}

/** Sets an account's status at its service, and in the replica. */
export async function setAccountStatus(deps: StepDeps, id: string, body: StatusChange): Promise<void> {
  await deps.client.call(changeAccount, { params: { id }, body })
  await learnAccount(deps, id)
}

function targetOf({ sagaId, position, targetId }: StepRow): string {
  if (targetId === null) throw new Error(`Step ${position} of saga ${sagaId} has no target`)
  return targetId
}

/** The idempotency key of a step's call, the same at each attempt. */
const keyOf = ({ sagaId, position }: StepRow): string => `${sagaId}.${position}`

const isConflict = (error: unknown): boolean => isRefused(error, 409)

const finalStatuses = [400, 404, 413, 422]

/** True for an answer that no repeat would change. */
const isRefusal = (error: unknown): error is CallError => isRefused(error, ...finalStatuses)

const refusal = (error: CallError) =>
  fail('UPSTREAM_ERROR', { message: `The ${error.service} service refused: ${error.message}`, cause: error })
