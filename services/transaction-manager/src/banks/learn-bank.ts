import { getBankAccountState, getPfiState } from '@bursar/contracts/main-api'
import { isUuid } from '@bursar/contracts/schema'
import { type Client, ifCallFails, reconcile } from '@bursar/http'
import type { Store } from '@bursar/store'
import { bankAccountReplicas, pfiReplicas } from './banks'
import { type BankName, findBank, isKnownApproved } from './find-bank'

export interface LearnDeps {
  store: Store
  client: Client
}

/**
 * Asks the main API about an account that is not among the replicas, and about a participant that is not APPROVED there,
 * before a commit that needs it: the event may still be under way. Rejects with CallError when the main API cannot be
 * asked about what is not known at all. What does not exist is the commit's matter.
 */
export async function learnBank(deps: LearnDeps, name: BankName): Promise<void> {
  const known = await findBank(deps.store.read, name)
  if (known) {
    // What was known last stands.
    await ifCallFails(learnPfi(deps, known.pfi.id), () => {})
    return
  }
  if (!isUuid(name.id)) return
  const account = await deps.client.find(getBankAccountState, { params: { id: name.id } })
  if (account) {
    await deps.store.commit((tx) => bankAccountReplicas.replica.upsert(tx, bankAccountReplicas.toRow(account, account)))
    await learnPfi(deps, account.participantId)
    return
  }
  // A participant's own id: its accounts are known to the changes alone.
  if (await learnPfi(deps, name.id)) await reconcile(deps, bankAccountReplicas)
}

/** False when there is no such participant. */
async function learnPfi({ store, client }: LearnDeps, id: string): Promise<boolean> {
  if (await isKnownApproved(store.read, id)) return true
  const state = await client.find(getPfiState, { params: { id } })
  if (!state) return false
  await store.commit((tx) => pfiReplicas.replica.upsert(tx, pfiReplicas.toRow(state, state)))
  return true
}
