import { ifCallFails } from '@bursar/http'
import { type ChangeMark, type OpenStore, remember, type Store } from '@bursar/store'
import { accountMark, customerMark, upsertAccount, upsertCustomer } from '../accounts/accounts'
import { accounts, customers } from '../accounts/accounts.table'
import type { Owners } from './owners'

/** The marks of the states that the replicas have; undefined where they have none. */
interface Marks {
  account(id: string): Promise<ChangeMark | undefined>
  customer(id: string): Promise<ChangeMark | undefined>
}

/** The owners of accounts and customers, and the replicas here. */
export interface Owned {
  readonly owners: Owners
  readonly marks: Marks
}

interface Deps extends Owned {
  readonly store: Store
}

const mostMarks = 10_000

/** A cache of marks, until a replica changes: replicas change seldom, and every withdrawal needs two marks. */
export const rememberedMarks = (store: OpenStore): Marks => ({
  account: remember(store, { tables: [accounts], most: mostMarks }, (id) => accountMark(store.read, id)),
  customer: remember(store, { tables: [customers], most: mostMarks }, (id) => customerMark(store.read, id)),
})

/**
 * Fetches the present states of accounts and their customers from their owners into the replicas. Returns null, or why
 * they are not known for certain; then nothing may be carried out.
 */
export const refreshAccounts = (deps: Deps, ids: readonly string[]): Promise<string | null> =>
  ifCallFails(askOwners(deps, ids), ({ message }) => `${message}, so the account’s state is not known`)

/** The same, but rejects with CallError when an owner is unavailable: a returned reason is final. */
export async function askOwners(deps: Deps, ids: readonly string[]): Promise<string | null> {
  for (const id of ids) {
    const missing = await refresh(deps, id)
    if (missing !== null) return missing
  }
  return null
}

/**
 * The same for one account with many simultaneous callers: while one question is under way, others wait and share the
 * next one. So each gets an answer to a question that was asked after its call.
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

async function refresh({ store, owners, marks }: Deps, id: string): Promise<string | null> {
  const state = await owners.account(id)
  if (!state) return `The account service does not know account ${id}`
  if (!isSame(await marks.account(id), state)) await store.commit((tx) => upsertAccount(tx, state))
  const { customerId } = state.account
  if (customerId === null) return null
  const owner = await owners.customer(customerId)
  if (!owner) return `The customer service does not know customer ${customerId}`
  if (!isSame(await marks.customer(customerId), owner)) await store.commit((tx) => upsertCustomer(tx, owner))
  return null
}

const isSame = (one: ChangeMark | undefined, other: ChangeMark): boolean =>
  one?.epoch === other.epoch && one.version === other.version
