import {
  type Account,
  AccountCreated,
  type AccountRecord,
  type AccountState,
  AccountUpdated,
} from '@bursar/contracts/account'
import type { RecordStatus } from '@bursar/contracts/customer'
import type { Actor } from '@bursar/contracts/status-history'
import {
  byKey,
  changedRecords,
  type Db,
  emit,
  insertMissing,
  rowBy,
  statusHistory,
  type Tx,
  updateBy,
} from '@bursar/store'
import { fail } from '../errors'
import { accountTexts } from '../search/account-texts'
import { accounts, statusChanges } from './accounts.table'

export type AccountRow = typeof accounts.$inferSelect

/** The change feed that other services' replicas follow. */
export const accountRecords = changedRecords('account', accounts)

/** The history of accounts' statuses. */
export const accountHistory = statusHistory<RecordStatus>(statusChanges)

/** Stores a new account and its event. Returns false and stores nothing when one of its unique ids is taken. */
export async function addAccount(tx: Tx, row: AccountRow): Promise<boolean> {
  if ((await insertAccounts(tx, [row])) === 0) return false
  await accountTexts.add(tx, row.id, [row.name, row.accountExternalId, row.customerName, row.customerExternalId])
  await emit(tx, AccountCreated, await newState(tx, row), row.createdAt)
  return true
}

/** An account's new status, who sets it and why. */
interface AccountChange {
  id: string
  status: RecordStatus
  reason: string | null
  actor: Actor | null
}

/** Sets the status and records it in the history; setting the current status again changes nothing. */
export async function changeAccount(
  tx: Tx,
  { id, status, reason, actor }: AccountChange,
  now: Date,
): Promise<AccountRow> {
  const before = await getAccount(tx, id)
  if (before.status === status) return before
  const row: AccountRow = { ...before, status }
  await updateStatus(tx).execute({ id, status })
  const change = { recordId: id, from: before.status, to: status, reason, actor }
  const statusChange = await accountHistory.add(tx, change, now)
  await emit(tx, AccountUpdated, { ...(await newState(tx, row)), statusChange }, now)
  return row
}

export const findAccount = rowBy(accounts, 'id')

/** A participant's omnibus and fee-payer accounts: at most one of each. */
export const accountsOfParticipant = byKey(accounts, 'participantId')

export async function getAccount(db: Db, id: string): Promise<AccountRow> {
  const row = await findAccount(db, id)
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** An account with its mark. */
export async function accountState(db: Db, id: string): Promise<AccountState> {
  const [state] = await accountStates(db, [id])
  if (!state) throw fail('NOT_FOUND')
  return state
}

/** Those of many, in their order; null for one that is not there. */
export async function accountStates(db: Db, ids: readonly string[]): Promise<(AccountState | null)[]> {
  const states = await accountRecords.statesOf(db, ids)
  return ids.map((id) => {
    const state = states.get(id)
    return state ? { ...toRecord(state.row), ...state.mark } : null
  })
}

/** The record as the API returns it. */
export const toAccount = ({ participantId, createdAt, ...row }: AccountRow): Account => ({
  ...row,
  createdAt: createdAt.toISOString(),
})

/** The record as other services get it. */
export const toRecord = (row: AccountRow): AccountRecord => ({
  account: toAccount(row),
  participantId: row.participantId,
})

/** The state with the mark (epoch and version) of its last change. */
const newState = async (tx: Tx, row: AccountRow): Promise<AccountState> => ({
  ...toRecord(row),
  ...(await accountRecords.mark(tx, row.id)),
})

const insertAccounts = insertMissing(accounts)
const updateStatus = updateBy(accounts, 'id', ['status'])
