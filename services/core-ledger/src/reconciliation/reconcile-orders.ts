import { getWithdrawal, type WithdrawalState, withdrawalChanges } from '@bursar/contracts/wallet'
import type { Client } from '@bursar/http'
import { and, asc, type Db, eq, gt, inArray, param, prepared } from '@bursar/store'
import { transactions } from '../movements/transactions.table'
import { normalHash } from '../networks/networks'
import { isPaidByMovement } from '../portfolios/movements'
import { dailyTotals, type MovementKind } from '../reporting/daily-totals.table'
import { unfolded } from '../reporting/fold'

/** The ledger and the wallet service. */
export interface Sides {
  db: Db
  client: Client
}

/** A withdrawal that the wallet service and the ledger have differently. */
export interface OrderDifference {
  id: string
  what: string
}

export interface OrdersReport {
  /** How many of the wallet service's records were looked at. */
  orders: number
  /** Its run, and the version to go on after. */
  epoch: number
  after: number
  differences: OrderDifference[]
  /** Completed withdrawals that it has not confirmed; null when not all of its records were looked at. */
  missing: number | null
}

type Withdrawal = Pick<typeof transactions.$inferSelect, 'type' | 'status' | 'network' | 'txHash'>

/**
 * Holds the wallet service's records that changed after a version (0: all) against the ledger's withdrawals, and when
 * they are all, the number of the ledger's completed ones against those that it has confirmed. Rejects with CallError
 * when it cannot be asked.
 */
export async function reconcileOrders({ db, client }: Sides, after = 0): Promise<OrdersReport> {
  // First: what is completed by now, the wallet service has confirmed before.
  const completed = await completedCount(db)
  const report: OrdersReport = { orders: 0, epoch: 0, after, differences: [], missing: null }
  let paid = 0
  for (let more = true; more; ) {
    const page = await client.call(withdrawalChanges, { query: { after: String(report.after) } })
    for (const { record } of page.items) {
      const withdrawal = await withdrawalOf(db, record.id)
      if (record.status === 'confirmed' && withdrawal?.type === 'WITHDRAWAL') paid += 1
      const difference = contradiction(record, withdrawal) && (await recheckOrder({ db, client }, record.id))
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

/** Both sides once more: either may have gone on since it was read. Null when they agree. */
export async function recheckOrder({ db, client }: Sides, id: string): Promise<OrderDifference | null> {
  const record = await client.find(getWithdrawal, { params: { id } })
  const what = contradiction(record, await withdrawalOf(db, id))
  if (what === null) return null
  // The books have what it paid, though not as a withdrawal.
  return record?.status === 'confirmed' && (await isPaidByMovement(db, id)) ? null : { id, what }
}

/** The ledger's completed withdrawals that the wallet service has not confirmed, oldest first; it is asked about each. */
export async function* missingOrders({ db, client }: Sides): AsyncGenerator<OrderDifference> {
  for (let after = ''; ; ) {
    const rows = await completedAfter(db).execute({ after, limit: 250 })
    for (const { id } of rows) {
      const difference = await recheckOrder({ db, client }, id)
      if (difference) yield difference
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

/** What cannot be true of both sides; null when they agree, or one is only on its way. */
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

async function withdrawalOf(db: Db, id: string): Promise<Withdrawal | undefined> {
  const [row] = await withdrawalById(db).execute({ id })
  return row
}

/** From the sums, which the audit checks against the transactions. */
async function completedCount(db: Db): Promise<number> {
  const [stored, { totals }] = await Promise.all([withdrawalTotals(db).execute(), unfolded(db)])
  const isWithdrawal = ({ kind }: { kind: MovementKind }) => withdrawalKinds.includes(kind)
  return [...stored, ...totals.filter(isWithdrawal)].reduce((sum, row) => sum + row.count, 0)
}

const withdrawalById = prepared((db) =>
  db
    .select({
      type: transactions.type,
      status: transactions.status,
      network: transactions.network,
      txHash: transactions.txHash,
    })
    .from(transactions)
    .where(eq(transactions.id, param('id'))),
)
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
