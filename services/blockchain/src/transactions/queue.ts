import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  listParams,
  listSize,
  listValues,
  lte,
  or,
  param,
  prepared,
  type Tx,
  variants,
} from '@bursar/store'
import { type TransactionRow, transactions } from './transactions.table'

/** How many orders are taken at once; a question for states may name as many. */
export const mostTaken = 100
/** An order waits for its next look as long as half of the time in which nothing has changed, within these bounds. */
const shortestMs = 1000
const longestMs = 60_000
const leaseMs = 30_000

/**
 * Takes the orders that are due, so that no other worker has them for a while. A moment further away than any that is
 * given here was written by a clock that has been put right since: it counts as due.
 */
export async function claimDue(tx: Tx, now: Date): Promise<TransactionRow[]> {
  const leasedUntil = later(now, leaseMs)
  const rows = await dueTransactions(tx).execute({ now, furthest: later(now, longestMs), furthestLease: leasedUntil })
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await lease({ size: listSize(ids) })(tx).execute({ ...listValues('id', ids), leasedUntil })
  return rows
}

/** What a look at an order brought. */
export type Looked = Partial<Pick<TransactionRow, 'status' | 'ledgerId' | 'ledgerStatus' | 'reason'>>

/** Writes down what a look brought, and gives the order back: it has ended, or is looked at again later. */
export async function giveBack(tx: Tx, row: TransactionRow, looked: Looked, now: Date): Promise<void> {
  const next = { ...row, ...looked }
  const isChanged = fields.some((field) => next[field] !== row[field])
  const updatedAt = isChanged ? now : row.updatedAt
  const dueAt = hasEnded(next) ? null : later(now, pauseAfter(now.getTime() - updatedAt.getTime()))
  await updateTransaction(tx).execute({ ...next, dueAt, updatedAt })
}

const fields = ['status', 'ledgerId', 'ledgerStatus', 'reason'] as const
const final = new Set<TransactionRow['ledgerStatus']>(['COMPLETED', 'REJECTED', 'FAILED'])
const hasEnded = ({ status, ledgerId, ledgerStatus }: TransactionRow): boolean =>
  status === 'failed' || (status === 'ordered' && (ledgerId === null || final.has(ledgerStatus)))
const pauseAfter = (quietMs: number): number => Math.min(longestMs, Math.max(shortestMs, quietMs / 2))
const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

const dueTransactions = prepared((db) =>
  db
    .select()
    .from(transactions)
    .where(
      and(
        isNotNull(transactions.dueAt),
        or(lte(transactions.dueAt, param('now')), gt(transactions.dueAt, param('furthest'))),
        or(
          isNull(transactions.leasedUntil),
          lte(transactions.leasedUntil, param('now')),
          gt(transactions.leasedUntil, param('furthestLease')),
        ),
      ),
    )
    .orderBy(asc(transactions.dueAt), asc(transactions.id))
    .limit(mostTaken),
)
const lease = variants(
  ({ size }: { size: number }) =>
    (db) =>
      db
        .update(transactions)
        .set({ leasedUntil: param('leasedUntil') })
        .where(inArray(transactions.id, listParams('id', size))),
)
const updateTransaction = prepared((db) =>
  db
    .update(transactions)
    .set({
      status: param('status'),
      ledgerId: param('ledgerId'),
      ledgerStatus: param('ledgerStatus'),
      reason: param('reason'),
      dueAt: param('dueAt'),
      leasedUntil: null,
      updatedAt: param('updatedAt'),
    })
    .where(eq(transactions.id, param('id'))),
)
