import { and, type Db, eq, isNotNull, like, ne, param, prepared, sql } from '@bursar/store'
import { fail } from '../errors'
import { chainTransfers } from './chain-transfers.table'
import type { Status } from './states'
import { transactions } from './transactions.table'
import { wordsOf } from './work'
import { failedWithdrawals } from './work.table'

type Row = typeof transactions.$inferSelect

/** A return that prevents another release or return of its deposit. */
type Return = Pick<Row, 'id' | 'status' | 'txHash'>

/** The return of a deposit that is under way or was paid; undefined for none. */
export const standingReturn = async (db: Db, deposit: string): Promise<Return | undefined> =>
  (await standing(db).execute({ deposit }))[0]

/**
 * Ensures that a deposit in suspense has no other return: 400 while one is under way or was paid; 409 while one that
 * failed here is known to be paid.
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
    message: `Transaction ${paid.id}, which returned the deposit, has ${paid.status} here, and the wallet service has it as ${wordsOf(paid)}`,
  })
}

/**
 * Whether a return that has ended here was paid in a way that nothing here posts: its deposit was sent back by another
 * payment as well, or the payment has other terms. While another return is under way it may be posted yet.
 */
export async function hasUnbookedPayment(
  db: Db,
  { id, returns }: { id: string; returns: string | null },
): Promise<boolean> {
  if (returns === null) return false
  const [paid] = await confirmedFailure(db).execute({ id })
  if (!paid) return false
  const back = await standingReturn(db, returns)
  return back ? back.status === 'COMPLETED' : paid.otherTerms
}

/** Of a deposit: whether a return of it was paid. */
export const wasReturned = sql`exists (select 1 from ${transactions} as "back" where "back"."returns" = ${transactions.id}
  and "back"."status" = 'COMPLETED')`

/** SQL on a deposit: whether no return of it is under way or was paid. */
export const hasNoReturn = sql`not exists (select 1 from ${transactions} as "back" where "back"."returns" = ${transactions.id}
  and "back"."status" <> 'REJECTED' and "back"."status" <> 'FAILED')`

type Terms = Pick<Row, 'accountId' | 'assetId' | 'network' | 'amount' | 'destinationAddress'> & { returns: string }

/**
 * Why a return may not be paid now; null if it may: its deposit is not in suspense or not on its chain any more, or an
 * earlier return that failed here was paid. The states of account, customer and institution are ignored on purpose: the
 * money is not theirs.
 */
export async function whyNotReturned(db: Db, terms: Terms): Promise<string | null> {
  const { returns } = terms
  const [deposit] = await depositById(db).execute({ id: returns })
  if (!deposit || !isReturnOf(terms, deposit)) {
    return `Transaction ${returns}, which it returns, is no deposit in suspense of its terms`
  }
  if (deposit.reversedAt !== null) {
    return `The deposit that it returns was taken off its chain at ${deposit.reversedAt.toISOString()}; it waits until it is confirmed again`
  }
  const [paid] = await paidFailure(db).execute({ deposit: returns })
  if (!paid) return null
  return `Transaction ${paid.id}, which returned the same deposit, is ${paid.status} here and was paid (${wordsOf(paid)}): fail this one`
}

type Deposit = Pick<Row, 'type' | 'status' | 'accountId' | 'assetId' | 'network' | 'amount' | 'sourceAddress'>

/** Whether a deposit is in suspense, and the return has exactly its terms. */
const isReturnOf = (of: Terms, deposit: Deposit): boolean =>
  isInSuspense(deposit) &&
  of.accountId === deposit.accountId &&
  of.assetId === deposit.assetId &&
  of.network === deposit.network &&
  of.amount === deposit.amount &&
  of.destinationAddress === deposit.sourceAddress

/** A rejected or failed deposit stays in suspense until a person releases or returns it. */
export const isInSuspense = ({ type, status }: Pick<Deposit, 'type' | 'status'>): boolean =>
  type === 'DEPOSIT' && (status === 'REJECTED' || status === 'FAILED')

const isStatus = (status: Status) => sql.raw(`'${status}'`)
const standing = prepared((db) =>
  db
    .select({ id: transactions.id, status: transactions.status, txHash: transactions.txHash })
    .from(transactions)
    .where(
      and(
        eq(transactions.returns, param('deposit')),
        // Written as in the partial index, which is used only then.
        ne(transactions.status, isStatus('REJECTED')),
        ne(transactions.status, isStatus('FAILED')),
      ),
    ),
)
const paidFailure = prepared((db) =>
  db
    .select({
      id: transactions.id,
      status: transactions.status,
      contradiction: failedWithdrawals.contradiction,
      otherTerms: failedWithdrawals.otherTerms,
    })
    .from(transactions)
    .innerJoin(failedWithdrawals, eq(failedWithdrawals.transactionId, transactions.id))
    .where(and(eq(transactions.returns, param('deposit')), isNotNull(failedWithdrawals.contradiction)))
    .limit(1),
)
/** What was sent, and is not confirmed, may fail yet. */
const confirmedFailure = prepared((db) =>
  db
    .select({ otherTerms: failedWithdrawals.otherTerms })
    .from(failedWithdrawals)
    .where(and(eq(failedWithdrawals.transactionId, param('id')), like(failedWithdrawals.contradiction, 'confirmed %'))),
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
