import { and, type Db, eq, param, params, prepared, type Tx } from '@bursar/store'
import type { TransactionType } from '../transactions/states'
import { transactions } from '../transactions/transactions.table'
import { retryTuning } from './retry-delay'
import { failedWithdrawals, type WorkLane, work } from './work.table'

const laneOf: Record<TransactionType, WorkLane> = { DEPOSIT: 'ledger', TRANSFER: 'ledger', WITHDRAWAL: 'chain' }

/** Puts an approved transaction into the queue, due at once, in the approving commit. */
export const enqueueWork = (tx: Tx, { id, type }: { id: string; type: TransactionType }, at: Date): Promise<unknown> =>
  insertWork(tx).execute({
    transactionId: id,
    lane: laneOf[type],
    dueAt: at,
    leasedUntil: null,
    attempts: 0,
    lastError: null,
    orderedAt: null,
    acceptedAt: null,
    createdAt: at,
  })

/** Takes a transaction out of the queue, in the commit that ends it. */
export const dequeueWork = (tx: Tx, id: string): Promise<unknown> => deleteWork(tx).execute({ id })

/** Makes a transaction's work due at once; an attempt that is under way counts no more. */
export const hastenWork = (tx: Tx, id: string, at: Date): Promise<unknown> =>
  setDue(tx).execute({ id, dueAt: at, leasedUntil: null })

/** Has the wallet service asked about a failed withdrawal once more, after the longest wait between attempts. */
export const watchFailed = (tx: Tx, id: string, failedAt: Date): Promise<unknown> =>
  putFailed(tx).execute({ id, dueAt: new Date(failedAt.getTime() + retryTuning.longestMs), contradiction: null })

/** Has the wallet service asked about a withdrawal at once, if it failed here. */
export async function hastenRecheck(tx: Tx, id: string, at: Date): Promise<void> {
  if (await hasFailed(tx, id)) await putFailed(tx).execute({ id, dueAt: at, contradiction: null })
}

/** Whether a withdrawal failed here. */
export const hasFailed = async (db: Db, id: string): Promise<boolean> =>
  (await failedById(db).execute({ id })).length > 0

const insertWork = prepared((db) => db.insert(work).values(params(work)))
const deleteWork = prepared((db) => db.delete(work).where(eq(work.transactionId, param('id'))))
const setDue = prepared((db) =>
  db
    .update(work)
    .set({ dueAt: param('dueAt'), leasedUntil: param('leasedUntil') })
    .where(and(eq(work.transactionId, param('id')), eq(work.lane, 'chain'))),
)
const failedById = prepared((db) =>
  db
    .select({ id: transactions.id })
    .from(transactions)
    .where(and(eq(transactions.id, param('id')), eq(transactions.status, 'FAILED'))),
)
const putFailed = prepared((db) =>
  db
    .insert(failedWithdrawals)
    .values({ transactionId: param('id'), dueAt: param('dueAt'), contradiction: param('contradiction') })
    .onConflictDoUpdate({ target: failedWithdrawals.transactionId, set: { dueAt: param('dueAt') } }),
)
