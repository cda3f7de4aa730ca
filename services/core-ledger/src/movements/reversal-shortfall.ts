import { formatAmount } from '@bursar/money'
import { and, asc, type Db, eq, isNotNull, or, param, prepared, sql, type Tx } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { hasNoCover } from '../decisions/decisions'
import { chainTransfers } from './chain-transfers.table'
import { wasReturned } from './returns'
import { setShortfall } from './shortfalls'
import { transactions } from './transactions.table'

/**
 * SQL on a deposit's transfer: it was credited, or sent back by a paid return, and is not on its chain: the amount is
 * owed or gone, and nobody holds it. False once a person has covered it, which holds for good.
 */
export const isUncovered = and(
  isNotNull(chainTransfers.reversedAt),
  or(eq(transactions.status, 'COMPLETED'), wasReturned),
  hasNoCover(sql`${transactions.id}`),
)

/** Since when a deposit is missing in this sense; null if it is not. */
export const missingSince = async (db: Db, id: string): Promise<Date | null> =>
  (await missingById(db).execute({ id }))[0]?.reversedAt ?? null

/** The oldest of an account's asset; undefined for none. */
export async function firstMissing(db: Db, of: { accountId: string; assetId: string }): Promise<string | undefined> {
  const [first] = await uncovered(db).execute(of)
  return first?.id
}

/** Opens or closes the shortfall of an account's asset by such deposits. */
export async function measureReversed(
  tx: Tx,
  { accountId, assetId }: { accountId: string; assetId: string },
  now: Date,
): Promise<void> {
  const missing = await uncovered(tx).execute({ accountId, assetId })
  await setShortfall(tx, { accountId, assetId }, 'reversal', reasonOf(missing), now)
}

function reasonOf(missing: Awaited<ReturnType<ReturnType<typeof uncovered>['execute']>>): string | null {
  const [first] = missing
  if (!first) return null
  const total = missing.reduce((sum, { amount }) => sum + amount, 0n)
  const were = missing.every(({ status }) => status === 'COMPLETED') ? 'credited' : 'credited or returned,'
  return (
    `${formatAmount(total, first.decimals)} ${first.code} were ${were} and taken off the chain again: ` +
    `transaction ${first.id}${missing.length > 1 ? ` and ${missing.length - 1} more` : ''}`
  )
}

const uncovered = prepared((db) =>
  db
    .select({
      id: transactions.id,
      status: transactions.status,
      amount: transactions.amount,
      code: assets.code,
      decimals: assets.decimals,
    })
    .from(chainTransfers)
    .innerJoin(transactions, eq(transactions.id, chainTransfers.transactionId))
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .where(and(eq(transactions.accountId, param('accountId')), eq(transactions.assetId, param('assetId')), isUncovered))
    .orderBy(asc(transactions.id)),
)
const missingById = prepared((db) =>
  db
    .select({ reversedAt: chainTransfers.reversedAt })
    .from(chainTransfers)
    .innerJoin(transactions, eq(transactions.id, chainTransfers.transactionId))
    .where(and(eq(chainTransfers.transactionId, param('id')), isUncovered)),
)
