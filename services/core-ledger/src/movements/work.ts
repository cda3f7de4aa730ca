import {
  and,
  deleteAll,
  deleteBy,
  eq,
  inArray,
  insertAll,
  isNull,
  param,
  params,
  prepared,
  queryAmong,
  type Tx,
  upsertInto,
  waitingSince,
} from '@bursar/store'
import { retryTuning } from './execution-queue'
import type { TransactionType } from './states'
import { transactions } from './transactions.table'
import { failedWithdrawals, type WorkLane, work } from './work.table'

const laneOf: Record<TransactionType, WorkLane> = { DEPOSIT: 'ledger', TRANSFER: 'ledger', WITHDRAWAL: 'chain' }

/** Queues approved transactions, due at once, in the approving commit. */
export const enqueueWork = (
  tx: Tx,
  approved: readonly { id: string; type: TransactionType }[],
  at: Date,
): Promise<unknown> =>
  insertWork(
    tx,
    approved.map(({ id, type }) => ({
      transactionId: id,
      lane: laneOf[type],
      ...waitingSince(at),
      orderedAt: null,
      acceptedAt: null,
      toldEpoch: null,
      toldVersion: null,
      createdAt: at,
    })),
  )

/** Removes transactions from the queue, in the commit that ends them. */
export const dequeueWork = deleteAll(work, 'transactionId')

/** Schedules another check of a failed withdrawal at the wallet service, after the longest pause between attempts. */
export const watchFailed = (tx: Tx, id: string, failedAt: Date): Promise<unknown> =>
  askAgain(tx, id, new Date(failedAt.getTime() + retryTuning.longestMs))

/** Schedules an immediate check at the wallet service, for those of these withdrawals that failed here. */
export async function wakeRecheck(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  const failed = await failedByIds(tx, ids)
  for (const { id } of failed) await askAgain(tx, id, at)
}

const askAgain = (tx: Tx, transactionId: string, at: Date): Promise<unknown> =>
  putFailed(tx).execute({ transactionId, ...waitingSince(at), contradiction: null, otherTerms: false })

/** How a withdrawal that has ended here was paid. */
export type Alarm = Pick<typeof failedWithdrawals.$inferSelect, 'contradiction' | 'otherTerms'>

export const wordsOf = ({ contradiction, otherTerms }: Alarm): string =>
  otherTerms ? `${contradiction} ${withOtherTerms}` : `${contradiction}`

export const withOtherTerms = 'with another amount or asset'

/** Records that a withdrawal that has ended here was paid: an alarm, until its payment is posted. */
export const alarmPaid = (tx: Tx, transactionId: string, alarm: Alarm): Promise<unknown> =>
  putAlarm(tx).execute({ transactionId, ...neverDue, ...alarm })

/** Ends that alarm: a person has answered it, or its payment is posted. */
export const endAlarm = async (tx: Tx, transactionId: string): Promise<void> =>
  void (await removeFailed(tx).execute({ transactionId }))

const insertWork = insertAll(work)
const failedByIds = queryAmong(
  (ids) => (db) =>
    db
      .select({ id: transactions.id })
      .from(transactions)
      .where(and(inArray(transactions.id, ids), eq(transactions.status, 'FAILED'))),
)
/** The alarm ends by no answer of the wallet service: its chain has the payment. */
const neverDue = { dueAt: null, leasedUntil: null, attempts: 0, lastError: null }
const removeFailed = deleteBy(failedWithdrawals, 'transactionId')
const putAlarm = upsertInto(failedWithdrawals, ['transactionId'], ['dueAt', 'contradiction', 'otherTerms'])
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
