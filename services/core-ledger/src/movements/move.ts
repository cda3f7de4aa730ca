import { sql, type Tx, together, updateAll } from '@bursar/store'
import { fail } from '../errors'
import { postAll } from '../ledger/post'
import { normalHash } from '../networks/networks'
import { endPhases, phasesOf, reopenPhase, startPhase } from './phases'
import type { MovableRecord, TransactionRecord } from './read-transactions'
import { measureReversed } from './reversal-shortfall'
import { entryAt, moves, type Status, statuses } from './states'
import { emitMoved } from './transaction-events'
import { transactions } from './transactions.table'
import { dequeueWork, enqueueWork, watchFailed } from './work'

/** The fields that change together with the status. */
export interface MoveChange {
  /** The reason, stored with the ended phase. */
  detail?: string | null
  screeningApproved?: boolean
  screeningData?: Record<string, unknown> | null
  rejectionReason?: string
  failureReason?: string
  txHash?: string
}

/** A transaction on its way to another status. */
export interface Moving<T extends MovableRecord = MovableRecord> {
  transaction: T
  change: MoveChange
  /** The id of the request that its event names; the commit's by default. */
  requestId?: string | null
}

/**
 * Moves a transaction to another status: its row (compare-and-set on the status it was read with), phases, journal
 * entry, place in the execution queue, and event. Fails when the state machine has no such move, or another commit was
 * faster.
 */
export async function move(
  tx: Tx,
  transaction: TransactionRecord,
  to: Status,
  { at, ...change }: MoveChange & { at: Date },
): Promise<TransactionRecord> {
  const [moved] = await moveAll(tx, to, [{ transaction, change }], at)
  if (!moved) throw new Error(`Transaction ${transaction.id} was not moved`)
  return moved
}

/**
 * Moves several transactions to one status, each as `move` does, in order and with few statements. Fails when one of
 * them cannot be moved.
 */
export async function moveAll<T extends MovableRecord>(
  tx: Tx,
  to: Status,
  moving: readonly Moving<T>[],
  at: Date,
): Promise<T[]> {
  const steps = moving.map(({ transaction, change, ...event }) => ({
    ...event,
    from: transaction.status,
    reason: change.detail ?? null,
    moved: movedTo(transaction, to, change, at),
  }))
  const all = steps.map(({ moved }) => moved)
  const entries = all.flatMap((of) => {
    const kind = entryAt(of, to)
    return kind ? [{ kind, of }] : []
  })
  const done = steps.flatMap(({ from, moved }) => (from === 'APPROVED' ? [moved.id] : []))
  await together(
    setMoved(tx, to, steps),
    postAll(tx, entries, at),
    enqueueWork(tx, to === 'APPROVED' ? all : [], at),
    dequeueWork(tx, done),
    ...all.flatMap(({ id, type }) => (to === 'FAILED' && type === 'WITHDRAWAL' ? [watchFailed(tx, id, at)] : [])),
    emitMoved(tx, steps, at),
  )
  return all
}

/** The transaction after a move. Fails when the state machine has no such move. */
function movedTo<T extends MovableRecord>(
  transaction: T,
  to: Status,
  { detail = null, ...fields }: MoveChange,
  at: Date,
): T {
  const step = moves[transaction.status][to]
  if (!step || (step.only ?? transaction.type) !== transaction.type) throw illegal(transaction, to)
  const lost = Object.keys(fields).find((name) => !written[transaction.status].some((each) => each === name))
  if (lost !== undefined) throw new Error(`A move from ${transaction.status} does not write ${lost}`)
  const before = step.reopens ? reopenPhase(phasesOf(transaction), step.reopens) : phasesOf(transaction)
  const ended = endPhases(before, step.ends, step.as, at, detail)
  return {
    ...transaction,
    ...fields,
    status: to,
    phases: step.begins ? startPhase(ended, step.begins, at) : ended,
    updatedAt: at,
    executedAt: to === 'COMPLETED' ? at : transaction.executedAt,
  }
}

/** An APPROVED transaction, read in the commit that ends it. */
export type Ending = Omit<Moving, 'change'>

/**
 * APPROVED → COMPLETED, withdrawals with their hashes. A paid return may open a shortfall: its deposit may have been
 * taken back.
 */
export async function completeApproved(
  tx: Tx,
  approved: readonly (Ending & { txHash?: string })[],
  at: Date,
): Promise<void> {
  await moveAll(
    tx,
    'COMPLETED',
    approved.map(({ txHash, ...ending }) => ({
      ...ending,
      change: txHash === undefined ? {} : { txHash: normalHash(ending.transaction.network, txHash) },
    })),
    at,
  )
  for (const { transaction } of approved) if (transaction.returns !== null) await measureReversed(tx, transaction, at)
}

/** APPROVED → FAILED; only for failures that are final. */
export const failApproved = (tx: Tx, approved: readonly (Ending & { reason: string })[], at: Date): Promise<unknown> =>
  moveAll(
    tx,
    'FAILED',
    approved.map(({ reason, ...ending }) => ({ ...ending, change: { detail: reason, failureReason: reason } })),
    at,
  )

const illegal = ({ id, status }: Pick<TransactionRecord, 'id' | 'status'>, to: Status) =>
  fail('ILLEGAL_MOVE', { message: `Transaction ${id} is ${status} and cannot become ${to}` })

/** The columns that a move from each status writes, besides status, phases and the time. */
const written = {
  PENDING: ['screeningApproved', 'screeningData'],
  FROZEN: ['rejectionReason'],
  APPROVED: ['failureReason', 'txHash', 'executedAt'],
  COMPLETED: [],
  REJECTED: ['executedAt'],
  FAILED: ['executedAt'],
} as const satisfies Record<Status, readonly (keyof TransactionRecord)[]>
type Written = 'status' | 'phases' | 'updatedAt' | (typeof written)[Status][number]

/** Writes the rows of moved transactions. Fails when one has another status than it was read with. */
async function setMoved(tx: Tx, to: Status, steps: readonly { from: Status; moved: MovableRecord }[]): Promise<void> {
  for (const [from, some] of Map.groupBy(steps, (step) => step.from)) {
    const rows = some.map(({ moved }) => moved)
    const isAll = (await compareAndSet[from](tx, rows)) === rows.length
    if (!isAll) throw illegal({ id: rows.map(({ id }) => id).join(', '), status: from }, to)
  }
}

/** One statement for each status that rows may have been read with. */
const compareAndSet = Object.fromEntries(
  statuses.map((from) => {
    const names: Written[] = ['status', 'phases', 'updatedAt', ...written[from]]
    return [from, updateAll(transactions, 'id', names, sql`${transactions.status} = ${sql.raw(`'${from}'`)}`)]
  }),
) as unknown as Record<Status, (tx: Tx, rows: readonly MovableRecord[]) => Promise<number>>
