import { comparableAddress } from '@bursar/contracts/address'
import { type NewSend, SendChanged, type SendState } from '@bursar/contracts/blockchain'
import { canMove, isTold } from '@bursar/contracts/order-states'
import {
  and,
  type ChangeMark,
  changedRecords,
  type Db,
  doubling,
  emitAll,
  eq,
  insertAll,
  isNotNull,
  isNull,
  param,
  prepared,
  rowBy,
  rowsOf,
  type Tx,
  updateAll,
} from '@bursar/store'
import type { Attempt } from '../networks/network'
import { attempts, type SendRow, sends } from './sends.table'

/** The change feed that other services follow: a send is in it once it is broadcast, or has ended. */
export const sendRecords = changedRecords('send', sends)

/** An order in canonical form, and why it can never be sent; null if it can. */
export interface CheckedSend {
  order: NewSend
  problem: string | null
}

/**
 * Records different orders; one that can never be sent as failed. An order with a known id is answered with its record,
 * whatever its other fields.
 */
export async function createSends(
  tx: Tx,
  checked: readonly CheckedSend[],
  now: Date,
): Promise<{ row: SendRow; isNew: boolean }[]> {
  const known = await findSends(
    tx,
    checked.map(({ order }) => order.id),
  )
  const created = checked.map((each) => {
    const row = known.get(each.order.id)
    return row ? { row, isNew: false } : { row: newRow(each, now), isNew: true }
  })
  const rows = created.flatMap(({ row, isNew }) => (isNew ? [row] : []))
  await insertSends(tx, rows)
  // The answer tells of those that are accepted.
  await announce(
    tx,
    rows.filter((row) => isTold(toSendState(row))),
    true,
  )
  return created
}

function newRow({ order: input, problem }: CheckedSend, now: Date): SendRow {
  return {
    id: input.id,
    network: input.network.toLowerCase(),
    fromAddress: input.from,
    toAddress: input.to,
    contractAddress: input.contractAddress,
    amount: BigInt(input.amount),
    decimals: input.decimals,
    feePayer: input.feePayer,
    transactionData: input.transactionData,
    sender: comparableAddress(input.from),
    status: problem === null ? 'accepted' : 'failed',
    txHash: null,
    reason: problem,
    nonce: null,
    dueAt: problem === null ? now : null,
    failures: 0,
    lastError: null,
    isUntold: false,
    createdAt: now,
    updatedAt: now,
  }
}

export const findSend = rowBy(sends, 'id')

/** Those of the ids that are here, by their id. */
export async function findSends(db: Db, ids: readonly string[]): Promise<Map<string, SendRow>> {
  return new Map((await sendsById(db, ids)).map((row) => [row.id, row]))
}

/** The order that a transaction carries out; the attempts that were replaced lead to it, too. */
export async function findSendByHash(db: Db, network: string, txHash: string): Promise<SendRow | null> {
  const [row] = await sendByAttempt(db).execute({ network, txHash })
  return row?.send ?? null
}

/** The final transaction of this deployment with a sender's nonce, from the local records; null for none. */
export async function findFinalHash(
  db: Db,
  { network, sender, nonce }: { network: string; sender: string; nonce: number },
): Promise<string | null> {
  const [row] = await endedByNonce(db).execute({ network, sender: comparableAddress(sender), nonce })
  return row?.txHash ?? null
}

/** The states of orders, one after another; null of one that is not here. */
export async function statesOf(db: Db, ids: readonly string[]): Promise<(SendState | null)[]> {
  const known = await findSends(db, ids)
  return ids.map((id) => {
    const row = known.get(id)
    return row ? toSendState(row) : null
  })
}

export const toSendState = ({ id, status, txHash, reason }: SendRow): SendState => ({ id, status, txHash, reason })

interface Signed {
  row: SendRow
  attempt: Attempt
  dueAt: Date
}

/** Stores a signed attempt, before it is broadcast: from now on it may be on the chain. */
export const recordAttempt = (tx: Tx, row: SendRow, attempt: Attempt, dueAt: Date): Promise<void> =>
  storeAttempts(tx, [{ row, attempt, dueAt }], { isUntold: false })

/**
 * The same for several orders, of which nobody is told yet: the pass over their queue may find their end, and else tells of
 * them by `tellUntold`.
 */
export const recordAttempts = (tx: Tx, signed: readonly Signed[]): Promise<void> =>
  storeAttempts(tx, signed, { isUntold: true })

async function storeAttempts(tx: Tx, signed: readonly Signed[], telling: Pick<SendRow, 'isUntold'>): Promise<void> {
  await insertAttempts(
    tx,
    signed.map(({ row, attempt }) => ({ ...attempt, sendId: row.id, network: row.network, lostAt: null })),
  )
  const moves = signed.map(({ row, attempt: { nonce, txHash, createdAt: now }, dueAt }): Move => {
    const step = { status: 'broadcast', nonce, txHash, dueAt, failures: 0, lastError: null, ...telling } as const
    return { before: row, step, now }
  })
  await moveAll(tx, moves)
}

/** Tells of those of these orders of whose state nobody was told. */
export async function tellUntold(tx: Tx, rows: Iterable<SendRow>): Promise<void> {
  const untold = [...rows].filter(({ isUntold }) => isUntold)
  await updateTold(
    tx,
    untold.map(({ id }) => ({ id, isUntold: false })),
  )
  await announce(tx, untold)
}

/** A send that ended on the chain: by this transaction, reverted where there is a reason. */
export interface SendEnd {
  row: SendRow
  txHash: string
  reason: string | null
}

/** Records that they are final on the chain. */
export const recordEnds = (tx: Tx, ends: readonly (SendEnd & { now: Date })[]): Promise<void> =>
  moveAll(
    tx,
    ends.map(({ row, txHash, reason, now }) => {
      const end =
        reason === null ? ({ status: 'confirmed', lastError: null } as const) : ({ status: 'failed', reason } as const)
      return { before: row, step: { ...end, txHash, dueAt: null }, now }
    }),
  )

/**
 * Records that it was refused, or reverted on the chain, and will never be sent. `txHash` is that of the reverted
 * attempt.
 */
export const recordFailed = (tx: Tx, row: SendRow, reason: string, txHash: string | null, now: Date): Promise<void> =>
  moveAll(tx, [{ before: row, step: { status: 'failed', reason, txHash, dueAt: null }, now }])

/** Records that none of its attempts can ever be included: it waits for a new one. */
export async function recordLost(tx: Tx, row: SendRow, now: Date): Promise<void> {
  await loseAttempts(tx).execute({ sendId: row.id, lostAt: now })
  await moveAll(tx, [{ before: row, step: { status: 'accepted', txHash: null, nonce: null, dueAt: now }, now }])
}

/** Postpones the next check; nothing visible to others changes. */
export const postpone = (tx: Tx, row: SendRow, dueAt: Date, lastError: string | null): Promise<unknown> =>
  updateDue(tx, [{ id: row.id, dueAt, lastError, failures: lastError === null ? 0 : row.failures + 1 }])

/** The same for several, with which nothing is wrong; `isOpen`: as far as is known yet. */
export const postponeAll = (
  tx: Tx,
  rows: readonly { row: SendRow; dueAt: Date; isOpen?: boolean }[],
): Promise<unknown> =>
  updateDue(
    tx,
    rows.map(({ row: { id, lastError, failures }, dueAt, isOpen }) =>
      isOpen ? { id, dueAt, lastError, failures } : { id, dueAt, lastError: null, failures: 0 },
    ),
  )

/** The longest postponement. */
export const longestPauseMs = 60_000

/** Schedules the retry of a failed check: after the network's polling interval at first, then with growing pauses. */
export function retryLater(tx: Tx, row: SendRow, error: string, { pollMs, now }: { pollMs: number; now: Date }) {
  const { pauseMs } = doubling(pollMs, Math.min(longestPauseMs, 30 * pollMs))
  return postpone(tx, row, new Date(now.getTime() + pauseMs(row.failures + 1)), error)
}

interface Move {
  before: SendRow
  step: Pick<SendRow, 'status' | 'txHash' | 'dueAt'> & Partial<SendRow>
  now: Date
}

/** Moves different sends on. */
async function moveAll(tx: Tx, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return
  const rows = moves.map(({ before, step, now }): SendRow => {
    if (!canMove(before.status, step.status)) {
      throw new Error(`Send ${before.id} is ${before.status} and cannot become ${step.status}`)
    }
    return { ...before, isUntold: false, ...step, updatedAt: now }
  })
  await updateSends(tx, rows)
  await announce(
    tx,
    rows.filter(({ isUntold }) => !isUntold),
  )
}

/** `asOwn`: each event is found under the id of its order. */
async function announce(tx: Tx, rows: readonly SendRow[], asOwn = false): Promise<void> {
  const marks = await sendRecords.markAll(
    tx,
    rows.map(({ id }) => id),
  )
  const told = rows.flatMap((row, i) => {
    const state = toSendState(row)
    if (!isTold(state)) return []
    const about = { at: row.updatedAt, ...(asOwn && { requestId: row.id }) }
    return [{ data: { ...state, ...(marks[i] as ChangeMark) }, ...about }]
  })
  await emitAll(tx, SendChanged, told)
}

const insertSends = insertAll(sends)
const sendsById = rowsOf(sends, 'id')
const sendByAttempt = prepared((db) =>
  db
    .select({ send: sends })
    .from(attempts)
    .innerJoin(sends, eq(sends.id, attempts.sendId))
    .where(and(eq(attempts.network, param('network')), eq(attempts.txHash, param('txHash')))),
)
const endedByNonce = prepared((db) =>
  db
    .select({ txHash: sends.txHash })
    .from(sends)
    .where(
      and(
        eq(sends.network, param('network')),
        eq(sends.sender, param('sender')),
        isNull(sends.dueAt),
        eq(sends.nonce, param('nonce')),
        isNotNull(sends.txHash),
      ),
    )
    .limit(1),
)
const updateSends = updateAll(sends, 'id', [
  'status',
  'txHash',
  'reason',
  'nonce',
  'dueAt',
  'failures',
  'lastError',
  'isUntold',
  'updatedAt',
])
const updateTold = updateAll(sends, 'id', ['isUntold'])
const updateDue = updateAll(sends, 'id', ['dueAt', 'lastError', 'failures'])
const insertAttempts = insertAll(attempts)
const loseAttempts = prepared((db) =>
  db
    .update(attempts)
    .set({ lostAt: param('lostAt') })
    .where(and(eq(attempts.sendId, param('sendId')), isNull(attempts.lostAt))),
)
