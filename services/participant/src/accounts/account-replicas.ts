import { type AccountRecord, accountChanges } from '@bursar/contracts/account'
import type { Reconciliation } from '@bursar/http'
import { type ChangeMark, type Replica, replica } from '@bursar/store'
import { attachAccount, detachMissingAccounts } from '../participants/own-accounts'
import type { AccountRow } from './accounts'
import { accounts } from './accounts.table'

const rows = replica('account', accounts)

/** Participants get and lose their own accounts with the replicas, whether an event or a pull brings the change. */
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

/** How the replicas of accounts are kept. */
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
