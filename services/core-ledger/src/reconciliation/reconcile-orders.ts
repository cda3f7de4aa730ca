import { getWithdrawal, type WithdrawalState, withdrawalChanges } from '@bursar/contracts/wallet'
import type { Client } from '@bursar/http'
import {
  and,
  asc,
  type ChunkPlace,
  type Db,
  eq,
  gt,
  inArray,
  inChunks,
  param,
  prepared,
  type Store,
} from '@bursar/store'
import { findTransaction, type TransactionRecord } from '../movements/read-transactions'
import { transactions } from '../movements/transactions.table'
import { normalHash } from '../networks/networks'
import { isPaidOtherwise } from '../portfolios/own-withdrawals'
import { unfolded } from '../reporting/fold-sums'
import { dailyTotals, type MovementKind } from '../reporting/sums.table'

/** The ledger and the wallet service. */
export interface Sides {
  ledger: Pick<Store, 'read' | 'snapshot'>
  client: Client
}

/** A withdrawal that differs between the wallet service and the ledger. */
export interface OrderDifference {
  id: string
  what: string
}

export interface OrdersReport {
  /** The number of the wallet service's records that were checked. */
  orders: number
  /** The epoch of its database, and the version to continue after. */
  epoch: number
  after: number
  differences: OrderDifference[]
  /** The number of completed withdrawals that it has not confirmed; null when not all of its records were checked. */
  missing: number | null
}

type Withdrawal = Pick<TransactionRecord, 'type' | 'status' | 'network' | 'txHash'>

/**
 * Compares the wallet service's records that changed after a version (0: all) with the ledger's withdrawals. If all
 * were read, it also compares the number of completed withdrawals with the number of confirmed ones. Rejects with
 * CallError when the wallet service is unavailable.
 */
export async function reconcileOrders({ ledger, client }: Sides, after = 0): Promise<OrdersReport> {
  // Counted first: the wallet service has confirmed all withdrawals that are completed by now.
  const completed = await ledger.snapshot(completedCount)
  const report: OrdersReport = { orders: 0, epoch: 0, after, differences: [], missing: null }
  let paid = 0
  for (let more = true; more; ) {
    const page = await client.call(withdrawalChanges, { query: { after: String(report.after) } })
    for (const { record } of page.items) {
      const withdrawal = await findTransaction(ledger.read, record.id)
      if (record.status === 'confirmed' && withdrawal?.type === 'WITHDRAWAL') paid += 1
      const difference = contradiction(record, withdrawal) && (await recheckOrder({ ledger, client }, record.id))
      if (difference) report.differences.push(difference)
    }
    report.orders += page.items.length
    report.epoch = page.epoch
    report.after = page.items.at(-1)?.version ?? report.after
    more = page.more
  }
  if (after === 0) report.missing = Math.max(0, completed - paid)
  return report
}

/** Reads both sides again, because either may have changed meanwhile. Null when they agree. */
export async function recheckOrder({ ledger, client }: Sides, id: string): Promise<OrderDifference | null> {
  const { read: db } = ledger
  const record = await client.find(getWithdrawal, { params: { id } })
  const what = contradiction(record, await findTransaction(db, id))
  if (what === null) return null
  // The payment is posted, though not as a withdrawal.
  return record?.status === 'confirmed' && (await isPaidOtherwise(db, record)) ? null : { id, what }
}

/** The completed withdrawals that the wallet service has not confirmed, oldest first; it is asked about each one. */
export async function* missingOrders({ ledger, client }: Sides): AsyncGenerator<OrderDifference> {
  const chunk = (place: ChunkPlace<string>) => completedAfter(ledger.read).execute({ ...place })
  for await (const rows of inChunks(chunk, { size: 250, start: '', keyOf: ({ id }) => id })) {
    for (const { id } of rows) {
      const difference = await recheckOrder({ ledger, client }, id)
      if (difference) yield difference
    }
  }
}

/** The contradiction between both sides; null when they agree, or one is only behind. */
export function contradiction(record: WithdrawalState | null, withdrawal: Withdrawal | undefined): string | null {
  const here = withdrawal ? `${withdrawal.status} here` : 'not known here'
  if (!record) return withdrawal?.status === 'COMPLETED' ? `${here}; the wallet service has no order of it` : null
  const there = `${record.status} at the wallet service${record.txHash === null ? '' : ` (${record.txHash})`}`
  if (record.status === 'failed') return withdrawal?.status === 'COMPLETED' ? `${here}, ${there}` : null
  if (withdrawal && withdrawal.type !== 'WITHDRAWAL') return `a ${withdrawal.type} here, ${there}`
  if (withdrawal?.status === 'APPROVED') return null
  if (withdrawal?.status !== 'COMPLETED' || record.status !== 'confirmed') return `${here}, ${there}`
  const hash = record.txHash === null ? null : normalHash(withdrawal.network, record.txHash)
  return hash === withdrawal.txHash ? null : `${here} with hash ${withdrawal.txHash}, ${there}`
}

/** Read from the sums, which the audit compares with the transactions. */
async function completedCount(db: Db): Promise<number> {
  const [stored, { totals }] = await Promise.all([withdrawalTotals(db).execute(), unfolded(db)])
  const isWithdrawal = ({ kind }: { kind: MovementKind }) => withdrawalKinds.includes(kind)
  return [...stored, ...totals.filter(isWithdrawal)].reduce((sum, row) => sum + row.count, 0)
}

const withdrawalKinds: MovementKind[] = ['WITHDRAWAL', 'RETURN']
const withdrawalTotals = prepared((db) =>
  db.select({ count: dailyTotals.count }).from(dailyTotals).where(inArray(dailyTotals.kind, withdrawalKinds)),
)
const completedAfter = prepared((db) =>
  db
    .select({ id: transactions.id })
    .from(transactions)
    .where(
      and(
        gt(transactions.id, param('after')),
        eq(transactions.type, 'WITHDRAWAL'),
        eq(transactions.status, 'COMPLETED'),
      ),
    )
    .orderBy(asc(transactions.id))
    .limit(param('limit')),
)
