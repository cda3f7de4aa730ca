import { formatAmount } from '@bursar/money'
import { and, type Db, defineList, eq, isNotNull, param, unindexed } from '@bursar/store'
import type { WithdrawalOrder, WithdrawalOrderQuery } from './order.model'
import { getOrder, type OrderRow, whyWaiting } from './orders'
import { orders } from './orders.table'
import { isHeld, waitsForOperator } from './restore-hold'

/** Open orders, oldest first by default. */
export async function openOrders(db: Db, query: WithdrawalOrderQuery): Promise<WithdrawalOrder[]> {
  const rows = await openOrderList.page(db, query, query)
  return await Promise.all(rows.map((row) => toWithdrawalOrder(db, row)))
}

/** The order of a withdrawal of the ledger. Fails with 404 when there is none. */
export const orderOf = async (db: Db, id: string): Promise<WithdrawalOrder> =>
  await toWithdrawalOrder(db, await getOrder(db, id))

async function toWithdrawalOrder(db: Db, row: OrderRow): Promise<WithdrawalOrder> {
  return {
    id: row.id,
    kind: row.kind,
    // A refused id has no order, hence no account.
    accountId: row.accountId || null,
    network: row.network,
    assetCode: row.assetCode,
    contractAddress: row.contractAddress,
    amount: formatAmount(row.amount, row.decimals),
    destinationAddress: row.destination,
    status: row.status,
    txHash: row.txHash,
    reason: row.reason,
    waitsFor: await waitsFor(db, row),
    payer: row.payer,
    feePayer: row.feePayer,
    attempts: row.attempts,
    nextAttemptAt: row.dueAt?.toISOString() ?? null,
    signedAt: row.signedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

async function waitsFor(db: Db, order: OrderRow): Promise<string | null> {
  const why = whyWaiting(order)
  return why !== null && order.waitsFor === null && (await isHeld(db, order)) ? waitsForOperator : why
}

const isOpen = isNotNull(orders.dueAt)

/** The orders that have not ended, by age. */
export const openOrderList = defineList({
  id: orders.id,
  rows: (db) => db.select().from(orders),
  to: (row): OrderRow => row,
  read: ({ network }: Pick<WithdrawalOrderQuery, 'network'>) => ({
    form: { ofNetwork: network !== undefined },
    values: { network: network?.toLowerCase() },
  }),
  // The `+` prevents use of the network index, because open orders are few.
  where: ({ ofNetwork }) => and(isOpen, ofNetwork ? eq(unindexed(orders.network), param('network')) : undefined),
  along: () => isOpen,
  countsAll: true,
})
