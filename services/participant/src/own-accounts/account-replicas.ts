import { type AccountRecord, accountChanges, getAccountState } from '@bursar/contracts/account'
import type { Client, Reconciliation } from '@bursar/http'
import { alsoStoring, type ChangeMark, replica, type Store } from '@bursar/store'
import type { AccountRow } from '../accounts/accounts'
import { accounts } from '../accounts/accounts.table'
import { attachAccount, detachMissingAccounts } from './own-accounts'

const rows = replica('account', accounts)

/**
 * How the replicas of accounts are kept. Participants get and lose their own accounts with them, whether an event or a pull
 * brings the change.
 */
export const accountReplicas = (now: () => Date): Reconciliation<typeof accountChanges.answer, AccountRow> => ({
  changes: accountChanges,
  replica: alsoStoring(
    rows,
    (tx, row) => attachAccount(tx, row, now()),
    (tx) => detachMissingAccounts(tx, now()),
  ),
  toRow: ({ account, participantId }: AccountRecord, { epoch, version }: ChangeMark): AccountRow => ({
    ...account,
    createdAt: new Date(account.createdAt),
    participantId,
    epoch,
    version,
  }),
})

/** Asks for the state of an account and keeps it, before the event of its last change is here. */
export async function learnAccount(
  { store, client, now }: { store: Store; client: Client; now: () => Date },
  id: string,
): Promise<void> {
  const { replica, toRow } = accountReplicas(now)
  const state = await client.call(getAccountState, { params: { id } })
  await store.commit((tx) => replica.upsert(tx, toRow(state, state)))
}
