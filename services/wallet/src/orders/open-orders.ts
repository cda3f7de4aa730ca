import { formatAmount } from '@bursar/money'
import { and, count, type Db, firstAfter, gt, isNotNull, keyset, type Order, param, sql, variants } from '@bursar/store'
import type { WithdrawalOrder, WithdrawalOrderQuery } from './order.model'
import { getOrder, type OrderRow, whyWaiting } from './orders'
import { orders } from './orders.table'
import { isHeld, waitsForOperator } from './restore-hold'

/** Open orders, oldest first by default. */
export async function openOrders(db: Db, query: WithdrawalOrderQuery): Promise<WithdrawalOrder[]> {
  const { network, limit, order = 'asc', after } = query
  const page = pageOf({ order, ofNetwork: network !== undefined })(db)
  const rows = await page.execute({ network: network?.toLowerCase(), after: firstAfter(order, after), limit })
  return await Promise.all(rows.map((row) => toWithdrawalOrder(db, row)))
}

/** The number of open orders. */
export async function countOpenOrders(db: Db, network: string | undefined): Promise<number> {
  const [row] = await openCount({ ofNetwork: network !== undefined })(db).execute({ network: network?.toLowerCase() })
  return row?.orders ?? 0
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

/** The `+` keeps the database from using the index by network: open orders are few. */
const isOpen = (ofNetwork: boolean) =>
  and(isNotNull(orders.dueAt), ofNetwork ? sql`+${orders.network} = ${param('network')}` : undefined)
const pageOf = variants(({ order, ofNetwork }: { order: Order; ofNetwork: boolean }) => {
  const { beyond, by } = keyset(orders.id, order)
  return (db) =>
    db
      .select()
      .from(orders)
      .where(and(isOpen(ofNetwork), beyond))
      .orderBy(by)
      .limit(param('limit'))
})
const openCount = variants(
  ({ ofNetwork }: { ofNetwork: boolean }) =>
    (db) =>
      db
        .select({ orders: count() })
        .from(orders)
        // Always true: selects the index of open orders.
        .where(and(isOpen(ofNetwork), gt(orders.id, ''))),
)
