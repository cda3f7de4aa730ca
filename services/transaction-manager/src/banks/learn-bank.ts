import { getBankAccountState, getPfiState } from '@bursar/contracts/main-api'
import { isUuid } from '@bursar/contracts/schema'
import { type Client, ifCallFails, reconcile } from '@bursar/http'
import { type OpenStore, remember, rowBy, type Store } from '@bursar/store'
import { bankAccounts } from './bank-accounts.table'
import { bankAccountReplicas, pfiReplicas } from './banks'
import { type Bank, type BankName, findBank } from './find-bank'
import { participants } from './participants.table'
import { pfis } from './pfis.table'

export interface LearnDeps {
  store: Store
  client: Client
  /** What the replicas have. */
  known: (name: BankName) => Promise<Bank | undefined>
}

/** Each account is read once, until a replica changes: that is seldom, and every payment names one or two. */
export function rememberedBanks(store: OpenStore): LearnDeps['known'] {
  const read = (key: string) => {
    const [id = '', currency = ''] = key.split(' ')
    return findBank(store.read, { id, currency })
  }
  const bankOf = remember(store, { tables: [bankAccounts, pfis, participants], most: 10_000 }, read)
  return ({ id, currency }) => bankOf(`${id} ${currency}`)
}

/**
 * Fetches from the main API an account without a replica, and a participant whose replica is not APPROVED,
 * before a commit that needs it: the event may be delayed.
 * Rejects with CallError when the main API cannot be reached and there is no replica at all. The commit handles records
 * that do not exist.
 */
export async function learnBank(deps: LearnDeps, name: BankName): Promise<void> {
  const known = await deps.known(name)
  if (known) {
    // What was known last stands.
    if (known.pfi.status !== 'APPROVED') await ifCallFails(learnPfi(deps, known.pfi.id), () => {})
    return
  }
  if (!isUuid(name.id)) return
  const account = await deps.client.find(getBankAccountState, { params: { id: name.id } })
  if (account) {
    await deps.store.commit((tx) => bankAccountReplicas.replica.upsert(tx, bankAccountReplicas.toRow(account, account)))
    await learnPfi(deps, account.participantId)
    return
  }
  // A participant's id: its accounts can only be pulled.
  if (await learnPfi(deps, name.id)) await reconcile(deps, bankAccountReplicas)
}

/** False when there is no such participant. */
async function learnPfi({ store, client }: LearnDeps, id: string): Promise<boolean> {
  if ((await pfiById(store.read, id))?.status === 'APPROVED') return true
  const state = await client.find(getPfiState, { params: { id } })
  if (!state) return false
  await store.commit((tx) => pfiReplicas.replica.upsert(tx, pfiReplicas.toRow(state, state)))
  return true
}

const pfiById = rowBy(pfis, 'id')
