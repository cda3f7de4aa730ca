import { getAccountState } from '@bursar/contracts/account'
import type { Client } from '@bursar/http'
import type { Store } from '@bursar/store'
import { accountReplicas } from '../accounts/account-replicas'

interface LearnDeps {
  store: Store
  client: Client
}

/** Asks for the state of an account and keeps it, before the event of its last change is here. */
export async function learnAccount({ store, client }: LearnDeps, id: string): Promise<void> {
  const { replica, toRow } = accountReplicas
  const state = await client.call(getAccountState, { params: { id } })
  await store.commit((tx) => replica.upsert(tx, toRow(state, state)))
}
