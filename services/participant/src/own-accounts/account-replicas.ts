import { type AccountRecord, accountChanges, getAccountState } from '@bursar/contracts/account'
import type { Client, Reconciliation } from '@bursar/http'
import { type ChangeMark, type Replica, replica, type Store } from '@bursar/store'
import type { AccountRow } from '../accounts/accounts'
import { accounts } from '../accounts/accounts.table'
import { attachAccount, detachMissingAccounts } from './own-accounts'

const rows = replica('account', accounts)

/** Participants get and lose their own accounts with the replicas, by event or by pull. */
const attaching: Replica<AccountRow> = {
  kind: rows.kind,
  async upsert(tx, row) {
    await rows.upsert(tx, row)
    await attachAccount(tx, row)
  },
  async restate(tx, row) {
    await rows.restate(tx, row)
    await attachAccount(tx, row)
  },
  async deleteUnstated(tx, epoch) {
    await rows.deleteUnstated(tx, epoch)
    await detachMissingAccounts(tx)
  },
}

/** Stores the replicas of accounts. */
export const accountReplicas = {
  changes: accountChanges,
  replica: attaching,
  toRow: ({ account, participantId }: AccountRecord, { epoch, version }: ChangeMark): AccountRow => ({
    ...account,
    createdAt: new Date(account.createdAt),
    participantId,
    epoch,
    version,
  }),
} satisfies Reconciliation<typeof accountChanges.answer, AccountRow>

/** Fetches and stores the state of an account, before the event of its last change arrives. */
export async function learnAccount({ store, client }: { store: Store; client: Client }, id: string): Promise<void> {
  const { replica, toRow } = accountReplicas
  const state = await client.call(getAccountState, { params: { id } })
  await store.commit((tx) => replica.upsert(tx, toRow(state, state)))
}
