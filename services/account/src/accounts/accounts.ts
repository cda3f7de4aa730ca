import {
  type Account,
  AccountCreated,
  type AccountRecord,
  type AccountState,
  AccountUpdated,
} from '@bursar/contracts/account'
import type { RecordStatus } from '@bursar/contracts/customer'
import type { Actor } from '@bursar/contracts/status-history'
import { byKey, changedRecords, type Db, emit, params, prepared, type Tx, updateBy } from '@bursar/store'
import { fail } from '../errors'
import { accountHistory } from '../history/history'
import { accountTexts } from '../search/account-texts'
import { accounts } from './accounts.table'

export type AccountRow = typeof accounts.$inferSelect

/** What the replicas of other services follow. */
export const accountRecords = changedRecords('account', accounts)

/** Stores a new account and its event. False, and nothing is stored, when one of its unique ids is taken. */
export async function addAccount(tx: Tx, row: AccountRow): Promise<boolean> {
  const [stored] = await insertAccount(tx).execute(row)
  if (!stored) return false
  await accountTexts.add(tx, row.id, [row.name, row.accountExternalId, row.customerName, row.customerExternalId])
  await emit(tx, AccountCreated, await newState(tx, row), row.createdAt)
  return true
}

/** A status that an account is to have, who wants it and why. */
export interface AccountChange {
  id: string
  status: RecordStatus
  reason: string | null
  actor: Actor | null
}

/**
 * Sets the status and notes it in the history; the status that it has already changes nothing. Fails (404) when there is
 * no such account.
 */
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

/** Undefined when there is no such account. */
export async function findAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  const [row] = await accountById(db).execute({ id })
  return row
}

/** Fails (404) when there is no such account. */
export async function getAccount(db: Db, id: string): Promise<AccountRow> {
  const row = await findAccount(db, id)
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** An account with its mark. Fails (404) when there is no such account. */
export async function getAccountState(db: Db, id: string): Promise<AccountState> {
  const state = await accountRecords.stateOf(db, id)
  if (!state) throw fail('NOT_FOUND')
  return { ...toRecord(state.row), ...state.mark }
}

/** The record as it goes out. */
export const toAccount = ({ participantId, createdAt, ...row }: AccountRow): Account => ({
  ...row,
  createdAt: createdAt.toISOString(),
})

/** The record as it goes to other services. */
export const toRecord = (row: AccountRow): AccountRecord => ({
  account: toAccount(row),
  participantId: row.participantId,
})

/** Marks a state that was just stored. */
const newState = async (tx: Tx, row: AccountRow): Promise<AccountState> => ({
  ...toRecord(row),
  ...(await accountRecords.mark(tx, row.id)),
})

const insertAccount = prepared((db) =>
  db.insert(accounts).values(params(accounts)).onConflictDoNothing().returning({ id: accounts.id }),
)
const accountById = byKey(accounts, 'id')
const updateStatus = updateBy(accounts, 'id', ['status'])
