import { and, type Db, eq, insertInto, isNull, param, params, prepared, type Tx, waitingSince } from '@bursar/store'
import { retryTuning } from './queue'
import type { TransactionType } from './states'
import { transactions } from './transactions.table'
import { failedWithdrawals, type WorkLane, work } from './work.table'

const laneOf: Record<TransactionType, WorkLane> = { DEPOSIT: 'ledger', TRANSFER: 'ledger', WITHDRAWAL: 'chain' }

/** Queues an approved transaction, due at once, in the approving commit. */
export const enqueueWork = (tx: Tx, { id, type }: { id: string; type: TransactionType }, at: Date): Promise<unknown> =>
  insertWork(tx).execute({
    transactionId: id,
    lane: laneOf[type],
    ...waitingSince(at),
    orderedAt: null,
    acceptedAt: null,
    toldEpoch: null,
    toldVersion: null,
    createdAt: at,
  })

/** Removes a transaction from the queue, in the commit that ends it. */
export const dequeueWork = (tx: Tx, id: string): Promise<unknown> => deleteWork(tx).execute({ id })

/** Schedules another check of a failed withdrawal at the wallet service, after the longest pause between attempts. */
export const watchFailed = (tx: Tx, id: string, failedAt: Date): Promise<unknown> =>
  askAgain(tx, id, new Date(failedAt.getTime() + retryTuning.longestMs))

/** Schedules an immediate check of a withdrawal at the wallet service, if it failed here. */
export async function wakeRecheck(tx: Tx, id: string, at: Date): Promise<void> {
  if (await hasFailed(tx, id)) await askAgain(tx, id, at)
}

/** Whether a withdrawal failed here. */
const hasFailed = async (db: Db, id: string): Promise<boolean> => (await failedById(db).execute({ id })).length > 0

const askAgain = (tx: Tx, transactionId: string, at: Date): Promise<unknown> =>
  putFailed(tx).execute({ transactionId, ...waitingSince(at), contradiction: null })

const insertWork = insertInto(work)
const deleteWork = prepared((db) => db.delete(work).where(eq(work.transactionId, param('id'))))
const failedById = prepared((db) =>
  db
    .select({ id: transactions.id })
    .from(transactions)
    .where(and(eq(transactions.id, param('id')), eq(transactions.status, 'FAILED'))),
)
/** A withdrawal known to be paid needs no further check. */
const putFailed = prepared((db) =>
  db
    .insert(failedWithdrawals)
    .values(params(failedWithdrawals))
    .onConflictDoUpdate({
      target: failedWithdrawals.transactionId,
      set: { dueAt: param('dueAt') },
      setWhere: isNull(failedWithdrawals.contradiction),
    }),
)
