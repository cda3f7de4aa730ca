import { getBankAccountState, getPfiState } from '@bursar/contracts/main-api'
import { isUuid } from '@bursar/contracts/schema'
import { CallError, type Client, reconcile } from '@bursar/http'
import type { Store } from '@bursar/store'
import { bankAccountReplicas, pfiReplicas } from './banks'
import { type BankName, findBank } from './find-bank'

export interface LearnDeps {
  store: Store
  client: Client
}

/**
 * Asks the main API about an account that is not among the replicas, or whose participant is not APPROVED there, before a
 * commit that needs it: the event may still be under way. Rejects with CallError when the main API cannot be asked about
 * an unknown account; of a known one stands what is known then. What does not exist is the commit's matter.
 */
export async function learnBank(deps: LearnDeps, name: BankName): Promise<void> {
  const known = await findBank(deps.store.read, name)
  if (known) {
    if (known.pfi.status !== 'APPROVED') await askAgain(deps, known.pfi.id)
    return
  }
  if (!isUuid(name.id)) return
  const account = await deps.client.find(getBankAccountState, { params: { id: name.id } })
  if (account) {
    await deps.store.commit((tx) => bankAccountReplicas.replica.upsert(tx, bankAccountReplicas.toRow(account, account)))
    // Also one that is known: its approval may be as late as its account.
    await readPfi(deps, account.participantId)
    return
  }
  // A participant's own id: its accounts are known to the changes alone.
  if (await readPfi(deps, name.id)) await reconcile(deps, bankAccountReplicas)
}

/** An approval that was just answered must be good for a payment at once. */
async function askAgain(deps: LearnDeps, pfiId: string): Promise<void> {
  try {
    await readPfi(deps, pfiId)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
  }
}

/** Takes the main API's record of a participant over; false when there is none. */
async function readPfi({ store, client }: LearnDeps, id: string): Promise<boolean> {
  const state = await client.find(getPfiState, { params: { id } })
  if (!state) return false
  await store.commit((tx) => pfiReplicas.replica.upsert(tx, pfiReplicas.toRow(state, state)))
  return true
}
