import { and, type Db, eq, isNotNull, ne, param, prepared, sql } from '@bursar/store'
import { fail } from '../errors'
import { chainTransfers } from './chain-transfers.table'
import type { Status } from './states'
import { transactions } from './transactions.table'
import { failedWithdrawals } from './work.table'

/** A return of a deposit, as far as it keeps it from going anywhere else. */
interface Return {
  id: string
  status: Status
}

/** The return of a deposit that is under way, or has left; undefined while there is none. */
export async function standingReturn(db: Db, deposit: string): Promise<Return | undefined> {
  const [row] = await standing(db).execute({ deposit })
  return row
}

/**
 * Fails when a deposit in suspense is on its way back, or was sent back: 400; and while a return of it that failed here is
 * known to be paid: 409. What has one way out has no other.
 */
export async function requireNotReturned(tx: Db, deposit: string): Promise<void> {
  const back = await standingReturn(tx, deposit)
  if (back) {
    throw fail('ILLEGAL_MOVE', {
      message: `Transaction ${deposit} is returned to its source by transaction ${back.id}, which is ${back.status}`,
    })
  }
  const [paid] = await paidFailure(tx).execute({ deposit })
  if (!paid) return
  throw fail('RETURN_PAID', {
    message: `Transaction ${paid.id}, which returned the deposit, has FAILED here, and the wallet service has it as ${paid.contradiction}`,
  })
}

/** Of a deposit: whether a return of it was paid. */
export const wasReturned = sql`exists (select 1 from ${transactions} as "back" where "back"."returns" = ${transactions.id}
  and "back"."status" = 'COMPLETED')`

/** What of a return must be its deposit's. */
interface Terms {
  returns: string
  accountId: string
  assetId: string
  network: string
  amount: bigint
  destinationAddress: string | null
}

/**
 * Why a return may not be paid now: its deposit is not in suspense, or not on its chain any more. Null if it may be
 * paid. The states of account, customer and institution are ignored on purpose: the money is not theirs.
 */
export async function whyNotReturned(db: Db, terms: Terms): Promise<string | null> {
  const { returns } = terms
  const [deposit] = await depositById(db).execute({ id: returns })
  if (!deposit || !isReturnOf(terms, deposit)) {
    return `Transaction ${returns}, which it returns, is no deposit in suspense of its terms`
  }
  return deposit.reversedAt === null
    ? null
    : `The deposit that it returns was taken off its chain at ${deposit.reversedAt.toISOString()}; it waits until it is confirmed again`
}

type Deposit = Pick<
  typeof transactions.$inferSelect,
  'type' | 'status' | 'accountId' | 'assetId' | 'network' | 'amount' | 'sourceAddress'
>

/** Whether a deposit is in suspense, and a return sends back it and nothing else. */
const isReturnOf = (of: Terms, deposit: Deposit): boolean =>
  isInSuspense(deposit) &&
  of.accountId === deposit.accountId &&
  of.assetId === deposit.assetId &&
  of.network === deposit.network &&
  of.amount === deposit.amount &&
  of.destinationAddress === deposit.sourceAddress

/** It stays there until a person finds it a way out. */
export const isInSuspense = ({ type, status }: Pick<Deposit, 'type' | 'status'>): boolean =>
  type === 'DEPOSIT' && (status === 'REJECTED' || status === 'FAILED')

const isStatus = (status: Status) => sql.raw(`'${status}'`)
const standing = prepared((db) =>
  db
    .select({ id: transactions.id, status: transactions.status })
    .from(transactions)
    .where(
      and(
        eq(transactions.returns, param('deposit')),
        // Written as its index has it, which is used then.
        ne(transactions.status, isStatus('REJECTED')),
        ne(transactions.status, isStatus('FAILED')),
      ),
    ),
)
const paidFailure = prepared((db) =>
  db
    .select({ id: transactions.id, contradiction: failedWithdrawals.contradiction })
    .from(transactions)
    .innerJoin(failedWithdrawals, eq(failedWithdrawals.transactionId, transactions.id))
    .where(and(eq(transactions.returns, param('deposit')), isNotNull(failedWithdrawals.contradiction)))
    .limit(1),
)
const depositById = prepared((db) =>
  db
    .select({
      type: transactions.type,
      status: transactions.status,
      accountId: transactions.accountId,
      assetId: transactions.assetId,
      network: transactions.network,
      amount: transactions.amount,
      sourceAddress: transactions.sourceAddress,
      reversedAt: chainTransfers.reversedAt,
    })
    .from(transactions)
    .leftJoin(chainTransfers, eq(chainTransfers.transactionId, transactions.id))
    .where(eq(transactions.id, param('id'))),
)
