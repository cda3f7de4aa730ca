import { getAccountState } from '@bursar/contracts/account'
import { getCustomerState } from '@bursar/contracts/customer'
import { isUuid } from '@bursar/contracts/schema'
import { AppError, type Deps as Common, ifCallFails } from '@bursar/http'
import type { Store } from '@bursar/store'
import { fail } from '../errors'
import { customerMark, findStanding, upsertAccount, upsertCustomer } from './accounts'

type Deps = Pick<Common, 'store' | 'client'>

/**
 * Ensures that the replicas have an account and its customer: missing ones are fetched from their owners. To be called
 * before the commit that needs them. 404 when there is no such account or customer, 503 when the owner is unreachable.
 */
export async function requireAccount(deps: Deps, given: string): Promise<void> {
  const id = given.toLowerCase()
  const seen = seenIn(deps.store)
  if (seen.has(id)) return
  const known = await findStanding(deps.store.read, id)
  const customerId = known ? known.customerId : await pullAccount(deps, id)
  if (customerId !== null && !known?.customerStatus) await requireCustomer(deps, customerId)
  if (seen.size >= mostSeen) seen.clear()
  seen.add(id)
}

/** The same for callers that can continue without it. */
export async function askForAccount(deps: Deps, id: string | null): Promise<void> {
  if (id === null) return
  try {
    await requireAccount(deps, id)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

/**
 * Accounts known to be in the replicas with their customers. Looked up once: replicas keep their rows, and an account
 * keeps its customer. The commit itself still reads both.
 */
const seenAccounts = new WeakMap<Store, Set<string>>()
const mostSeen = 10_000

function seenIn(store: Store): Set<string> {
  const seen = seenAccounts.get(store) ?? new Set()
  seenAccounts.set(store, seen)
  return seen
}

/** The same for a customer. */
export async function requireCustomer({ store, client }: Deps, given: string): Promise<void> {
  const id = given.toLowerCase()
  if (await customerMark(store.read, id)) return
  const state = isUuid(id) ? await ask(client.find(getCustomerState, { params: { id } })) : null
  if (!state) throw customerNotFound(id)
  await store.commit((tx) => upsertCustomer(tx, state))
}

async function pullAccount({ store, client }: Deps, id: string): Promise<string | null> {
  const state = isUuid(id) ? await ask(client.find(getAccountState, { params: { id } })) : null
  if (!state) throw accountNotFound(id)
  await store.commit((tx) => upsertAccount(tx, state))
  return state.account.customerId
}

export const accountNotFound = (id: string) => fail('ACCOUNT_NOT_FOUND', { message: `Account ${id} not found` })

export const customerNotFound = (id: string) => fail('CUSTOMER_NOT_FOUND', { message: `Customer ${id} not found` })

/** Any failure of the owning service is a 503, so that the caller may retry. */
const ask = <T>(call: Promise<T>): Promise<T> =>
  ifCallFails(call, (cause) => {
    throw fail('ACCOUNTS_UNAVAILABLE', { cause })
  })
