import { and, type Db, eq, gt, or, param, prepared } from '@bursar/store'
import { journal } from '../bookkeeping/journal.table'
import { indexedUntil } from '../lookup/index-keys'
import { keyOf } from '../lookup/key-of'
import { transactionKeys } from '../lookup/transaction-keys.table'
import { transactions } from '../transactions/transactions.table'

/** What left an address, as the ledger's withdrawals are compared with it. */
interface Left {
  accountId: string
  assetId: string
  /** In its usual form. */
  txHash: string
  amount: bigint
}

/**
 * Whether what left an address is a withdrawal of the ledger's, which books it itself: the blockchain service does not
 * know that after a restore. `booked`: its hash is that of one that was paid, or is on its way. `perhaps`: of one that
 * may have been paid, by a hash that is not known yet, or by another one.
 */
export async function ownWithdrawal(db: Db, left: Left): Promise<'booked' | 'perhaps' | 'none'> {
  const { accountId, assetId, txHash, amount } = left
  const asked = { accountId, assetId, txHash }
  const indexed = await withHash(db).execute({ ...asked, key: keyOf(txHash) })
  // The index of hashes is written behind the journal.
  const latest = indexed.length > 0 ? [] : await endedSince(db).execute({ ...asked, after: await indexedUntil(db) })
  if (indexed.length > 0 || latest.length > 0) return 'booked'
  return (await approved(db).execute({ accountId, assetId, amount })).length > 0 ? 'perhaps' : 'none'
}

const isOfPayer = and(
  eq(transactions.type, 'WITHDRAWAL'),
  eq(transactions.accountId, param('accountId')),
  eq(transactions.assetId, param('assetId')),
)
const isPaid = and(
  isOfPayer,
  or(eq(transactions.status, 'COMPLETED'), eq(transactions.status, 'APPROVED')),
  eq(transactions.txHash, param('txHash')),
)
const withHash = prepared((db) =>
  db
    .select({ id: transactions.id })
    .from(transactionKeys)
    .innerJoin(transactions, eq(transactions.id, transactionKeys.transactionId))
    .where(and(eq(transactionKeys.key, param('key')), isPaid))
    .limit(1),
)
const endedSince = prepared((db) =>
  db
    .select({ id: transactions.id })
    .from(journal)
    .innerJoin(transactions, eq(transactions.id, journal.transactionId))
    .where(and(gt(journal.seq, param('after')), isPaid))
    .limit(1),
)
const approved = prepared((db) =>
  db
    .select({ id: transactions.id })
    .from(transactions)
    .where(and(eq(transactions.status, 'APPROVED'), isOfPayer, eq(transactions.amount, param('amount'))))
    .limit(1),
)
