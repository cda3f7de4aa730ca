import { formatAmount } from '@bursar/money'
import { and, asc, eq, isNotNull, or, param, prepared, type Tx } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { chainTransfers } from './chain-transfers.table'
import { wasReturned } from './returns'
import { closeShortfall, openShortfall } from './shortfalls'
import { transactions } from './transactions.table'

/**
 * Opens or closes the shortfall of an account's asset by the deposits that were credited, or sent back by a return that
 * was paid, and are not on the chain: what they brought is owed or gone, and nobody holds it.
 */
export async function measureReversed(
  tx: Tx,
  { accountId, assetId }: { accountId: string; assetId: string },
  now: Date,
): Promise<void> {
  const missing = await goneAndReversed(tx).execute({ accountId, assetId, status: 'COMPLETED' })
  const [first] = missing
  if (!first) return void (await closeShortfall(tx, accountId, assetId, 'reversal'))
  const total = missing.reduce((sum, { amount }) => sum + amount, 0n)
  const were = missing.every(({ status }) => status === 'COMPLETED') ? 'credited' : 'credited or returned,'
  const reason =
    `${formatAmount(total, first.decimals)} ${first.code} were ${were} and taken off the chain again: ` +
    `transaction ${first.id}${missing.length > 1 ? ` and ${missing.length - 1} more` : ''}`
  await openShortfall(tx, { accountId, assetId, reason, since: now }, 'reversal')
}

const goneAndReversed = prepared((db) =>
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
    .where(
      and(
        isNotNull(chainTransfers.reversedAt),
        eq(transactions.accountId, param('accountId')),
        eq(transactions.assetId, param('assetId')),
        or(eq(transactions.status, param('status')), wasReturned),
      ),
    )
    .orderBy(asc(transactions.id)),
)
