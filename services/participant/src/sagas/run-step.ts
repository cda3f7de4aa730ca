import { changeAccount, createAccount, type NewAccount } from '@bursar/contracts/account'
import {
  changeCustomer,
  createCustomer,
  getCustomerByExternalId,
  type NewCustomer,
  type StatusChange,
} from '@bursar/contracts/customer'
import { CallError, type Client } from '@bursar/http'
import type { Store } from '@bursar/store'
import { findAccount, keepAccount, keepAccountStatus } from '../accounts/accounts'
import { findCustomer, keepCustomer, keepCustomerStatus } from '../customers/customers'
import { fail } from '../errors'
import { externalIdTaken } from './plan'
import { finishStep, type StepRow } from './saga'

export interface StepDeps {
  store: Store
  client: Client
}

/**
 * Carries out one step and notes it. May be repeated at will: what it makes is made under an idempotency key of its own,
 * and a status that is set twice is set. Rejects with an AppError when it never can be carried out, with anything else
 * when it may be later.
 */
export async function runStep(deps: StepDeps, step: StepRow, customerId: string | null): Promise<void> {
  try {
    await carryOut[step.kind](deps, step, customerId)
  } catch (error) {
    throw isRefusal(error) ? refusal(error) : error
  }
}

type CarryOut = (deps: StepDeps, step: StepRow, customerId: string | null) => Promise<void>

const carryOut: Record<StepRow['kind'], CarryOut> = {
  'create-customer': makeCustomer,
  'create-account': makeAccount,
  'customer-status': setCustomerStatus,
  'account-status': setAccountStatus,
}

async function makeCustomer(deps: StepDeps, step: StepRow): Promise<void> {
  const { store, client } = deps
  const input = step.input as NewCustomer
  const create = () => client.call(createCustomer, { body: input, idempotencyKey: keyOf(step) })
  const customer = await create().catch(async (error: unknown) => {
    if (!isConflict(error)) throw error
    // Somebody else's customer, or this very call of an earlier attempt that is still under way. Once the customer is
    // there, that call's answer is too: ours is replayed, and another's is refused again.
    await client.call(getCustomerByExternalId, { params: { externalId: input.externalId } }).catch(notYet)
    return await create().catch((again: unknown) => {
      throw isConflict(again) ? externalIdTaken(input.externalId) : again
    })
  })
  await store.commit(async (tx) => {
    await keepCustomer(tx, { customer, version: 1 })
    await finishStep(tx, step, customer.id)
  })
}

/** No customer there yet: the earlier attempt is still under way, and what becomes of it will be seen later. */
function notYet(error: unknown): never {
  if (error instanceof CallError && error.status === 404) {
    throw new CallError('timeout', error.service, `The ${error.service} service is still busy with an earlier attempt`)
  }
  throw error
}

async function makeAccount({ store, client }: StepDeps, step: StepRow, customerId: string | null): Promise<void> {
  if (customerId === null) throw new Error(`Step ${step.position} of saga ${step.sagaId} came before its customer`)
  const body = { ...(step.input as NewAccount), customerId }
  // Nothing in it is unique: a conflict is an earlier attempt that is still under way.
  const account = await client.call(createAccount, { body, idempotencyKey: keyOf(step) })
  await store.commit(async (tx) => {
    await keepAccount(tx, { account, version: 1 })
    await finishStep(tx, step, account.id)
  })
}

async function setCustomerStatus(deps: StepDeps, step: StepRow): Promise<void> {
  const id = targetOf(step)
  await putCustomerStatus(deps, id, step.input as StatusChange)
  await deps.store.commit((tx) => finishStep(tx, step, id))
}

async function setAccountStatus(deps: StepDeps, step: StepRow): Promise<void> {
  const id = targetOf(step)
  await putAccountStatus(deps, id, step.input as StatusChange)
  await deps.store.commit((tx) => finishStep(tx, step, id))
}

/** Sets a customer's status at its service, and in the copy at once. */
export async function putCustomerStatus({ store, client }: StepDeps, id: string, body: StatusChange): Promise<void> {
  const before = await findCustomer(store.read, id)
  const { status } = await client.call(changeCustomer, { params: { id }, body })
  if (before) await store.commit((tx) => keepCustomerStatus(tx, id, before.version, status))
}

/** Sets an account's status at its service, and in the copy at once. */
export async function putAccountStatus({ store, client }: StepDeps, id: string, body: StatusChange): Promise<void> {
  const before = await findAccount(store.read, id)
  const { status } = await client.call(changeAccount, { params: { id }, body })
  if (before) await store.commit((tx) => keepAccountStatus(tx, id, before.version, status))
}

function targetOf({ sagaId, position, targetId }: StepRow): string {
  if (targetId === null) throw new Error(`Step ${position} of saga ${sagaId} has no target`)
  return targetId
}

/** The idempotency key of a step's call, the same at each attempt. */
const keyOf = ({ sagaId, position }: StepRow): string => `${sagaId}.${position}`

const isConflict = (error: unknown): boolean => error instanceof CallError && error.status === 409

const finalStatuses = [400, 404, 413, 422]

/** True for an answer that no repeat would change. */
const isRefusal = (error: unknown): error is CallError =>
  error instanceof CallError && error.problem === 'refused' && finalStatuses.includes(error.status ?? 0)

const refusal = (error: CallError) =>
  fail('UPSTREAM_ERROR', { message: `The ${error.service} service refused: ${error.message}`, cause: error })
