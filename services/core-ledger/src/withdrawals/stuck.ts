import { isoTime } from '@bursar/contracts/iso-time'
import { formatAmount } from '@bursar/money'
import { and, asc, type Db, eq, gt, isNotNull, lte, or, param, prepared } from '@bursar/store'
import { dueOf } from '../movements/read-work'
import type { Status } from '../movements/states'
import { transactions } from '../movements/transactions.table'
import { wordsOf } from '../movements/work'
import { failedWithdrawals, work } from '../movements/work.table'
import { normalNetwork } from '../networks/networks'
import type { Stuck, StuckQuery } from './execution.model'

/** A transaction that is not carried out this long after its approval is late, even if no attempt has failed. */
const lateMs = 15 * 60 * 1000

/**
 * Transactions that somebody should look at, oldest first: approved ones whose last attempt failed or that are late,
 * and failed withdrawals that were paid. Reads the queue of work, not the transactions.
 */
export async function stuckTransactions(db: Db, { after = '', limit }: StuckQuery, now: Date): Promise<Stuck[]> {
  const late = await lateWork(db).execute({ after, limit, before: new Date(now.getTime() - lateMs) })
  const paid = await paidFailures(db).execute({ after, limit })
  return [...late.map(toLate), ...paid.map(toPaid)].sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit)
}

type LateRow = Awaited<ReturnType<ReturnType<typeof lateWork>['execute']>>[number]
type PaidRow = Awaited<ReturnType<ReturnType<typeof paidFailures>['execute']>>[number]

const toLate = ({ work: job, ...row }: LateRow): Stuck => ({
  ...shown(row),
  status: 'APPROVED',
  reason: job.lastError,
  attempts: job.attempts,
  queuedAt: isoTime(job.createdAt),
  nextAttemptAt: isoTime(dueOf(job)),
})

const toPaid = ({ contradiction, otherTerms, createdAt, ended, ...row }: PaidRow): Stuck => ({
  ...shown(row),
  status: 'FAILED',
  reason: `It ${endings[ended] ?? 'failed'} here, and the wallet service has it as ${wordsOf({ contradiction, otherTerms })}`,
  attempts: 0,
  queuedAt: isoTime(createdAt),
  nextAttemptAt: null,
})

/** Only a return is COMPLETED: one that was paid once more. */
const endings: Partial<Record<Status, string>> = {
  REJECTED: 'was rejected',
  COMPLETED: 'was completed by another payment',
}

const shown = ({ id, type, assetCode, network, accountId, amount, decimals }: Omit<LateRow, 'work'>) => ({
  id,
  type,
  assetCode,
  network: normalNetwork(network),
  accountId,
  amount: formatAmount(amount, decimals),
})

const columns = {
  id: transactions.id,
  type: transactions.type,
  assetCode: transactions.assetCode,
  network: transactions.network,
  accountId: transactions.accountId,
  amount: transactions.amount,
  decimals: transactions.decimals,
}
const lateWork = prepared((db) =>
  db
    .select({ ...columns, work })
    .from(work)
    .innerJoin(transactions, eq(transactions.id, work.transactionId))
    .where(
      and(gt(work.transactionId, param('after')), or(isNotNull(work.lastError), lte(work.createdAt, param('before')))),
    )
    .orderBy(asc(work.transactionId))
    .limit(param('limit')),
)
const paidFailures = prepared((db) =>
  db
    .select({
      ...columns,
      ended: transactions.status,
      createdAt: transactions.createdAt,
      contradiction: failedWithdrawals.contradiction,
      otherTerms: failedWithdrawals.otherTerms,
    })
    .from(failedWithdrawals)
    .innerJoin(transactions, eq(transactions.id, failedWithdrawals.transactionId))
    .where(and(gt(failedWithdrawals.transactionId, param('after')), isNotNull(failedWithdrawals.contradiction)))
    .orderBy(asc(failedWithdrawals.transactionId))
    .limit(param('limit')),
)
