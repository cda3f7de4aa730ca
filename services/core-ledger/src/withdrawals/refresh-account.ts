import { ifCallFails } from '@bursar/http'
import type { Store } from '@bursar/store'
import { accountMark, customerMark, upsertAccount, upsertCustomer } from '../accounts/accounts'
import type { Owners } from './owners'

interface Deps {
  readonly store: Store
  readonly owners: Owners
}

/**
 * Asks the owners for the states of accounts and their customers as they are now, and keeps them in the replicas. Gives
 * null, or the reason why they are not known for certain; nothing may be carried out then.
 */
export const refreshAccounts = (deps: Deps, ids: readonly string[]): Promise<string | null> =>
  ifCallFails(askOwners(deps, ids), ({ message }) => `${message}, so the account’s state is not known`)

/** The same, but rejects with CallError when they cannot be asked: the reason is for good then. */
export async function askOwners(deps: Deps, ids: readonly string[]): Promise<string | null> {
  for (const id of ids) {
    const missing = await refresh(deps, id)
    if (missing !== null) return missing
  }
  return null
}

/**
 * The same for one account, asked about by many at a time: while one question is under way the others wait, and share
 * the next one. So each gets an answer to a question that was asked after it came.
 */
export function sharedRefresh(deps: Deps, question = refreshAccounts): (id: string) => Promise<string | null> {
  const underWay = new Map<string, Promise<string | null>>()
  const next = new Map<string, Promise<string | null>>()
  async function ask(id: string): Promise<string | null> {
    await underWay.get(id)?.catch(() => {})
    next.delete(id)
    const asking = question(deps, [id])
    underWay.set(id, asking)
    try {
      return await asking
    } finally {
      if (underWay.get(id) === asking) underWay.delete(id)
    }
  }
  return (id) => {
    const waiting = next.get(id) ?? Promise.resolve().then(() => ask(id))
    next.set(id, waiting)
    return waiting
  }
}

async function refresh({ store, owners }: Deps, id: string): Promise<string | null> {
  const state = await owners.account(id)
  if (!state) return `The account service does not know account ${id}`
  if (!isSame(await accountMark(store.read, id), state)) await store.commit((tx) => upsertAccount(tx, state))
  const { customerId } = state.account
  if (customerId === null) return null
  const owner = await owners.customer(customerId)
  if (!owner) return `The customer service does not know customer ${customerId}`
  if (!isSame(await customerMark(store.read, customerId), owner)) await store.commit((tx) => upsertCustomer(tx, owner))
  return null
}

interface Mark {
  epoch: number
  version: number
}
const isSame = (one: Mark | undefined, other: Mark): boolean =>
  one?.epoch === other.epoch && one.version === other.version
