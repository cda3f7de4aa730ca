import { isoTime } from '@bursar/contracts/iso-time'
import { type CsvColumns, fieldColumns, page } from '@bursar/http'
import { and, asc, type Db, eq, param, prepared, rowsOf } from '@bursar/store'
import { type PaymentRow, toPayment } from '../payments/payments'
import type { Payment } from '../payments/payments.model'
import { payments } from '../payments/payments.table'
import { type PaymentStatus, type PaymentType, statuses, types } from '../payments/states'
import { countGroups, sumOf } from './count-payments'
import { type Bounds, findPage, isWanted } from './find-page'
import type { PaymentCount, PaymentQuery } from './lists.model'
import { lookUp } from './search'

/**
 * A page of payments with the exact total (spec 3, Transaction manager). `db` is a snapshot: page and total agree.
 * `bounds` is for tests.
 */
export async function listPayments(db: Db, query: PaymentQuery, bounds?: Bounds) {
  const { limit, offset, sortBy: sort, sortDirection } = query
  const types = chosen(query.type, query['type[]'])
  const statuses = chosen(query.status, query['status[]'])
  const search = query.search === undefined || query.search.trim() === '' ? null : await lookUp(db, query.search)
  const everywhere = await countGroups(db, null)
  const counted = search ? await countGroups(db, search) : everywhere
  const groups = counted.filter((group) => isWanted({ types, statuses, currency: null }, group))
  const order = sortDirection === 'ASC' ? 'asc' : 'desc'
  const ids = await findPage(db, {
    types,
    statuses,
    currency: null,
    search,
    groups,
    everywhere,
    searched: sumOf(counted),
    sort,
    order,
    limit,
    offset,
    bounds,
  })
  return page(await paymentsOf(db, ids), { limit, offset }, sumOf(groups))
}

/** The two ways of writing an array together; what is written twice counts once. */
export const chosen = <W extends PaymentStatus | PaymentType>(plain: W[] = [], bracketed: W[] = []): W[] => [
  ...new Set([...plain, ...bracketed]),
]

/** The payments of these ids, 100 at most, in their order. */
export async function paymentsOf(db: Db, ids: readonly string[]): Promise<Payment[]> {
  const rows = await withIds(db, ids)
  const byId = new Map<string, PaymentRow>(rows.map((row) => [row.id, row]))
  return ids
    .map((id) => byId.get(id))
    .filter((row) => row !== undefined)
    .map(toPayment)
}

const withIds = rowsOf(payments, 'id')

/** The table of GET /transactions/export. */
export const paymentColumns: CsvColumns<Payment> = {
  ...fieldColumns<Payment>('id', 'type', 'status', 'amount', 'currency'),
  fromParticipantId: ({ fromParticipant }) => fromParticipant,
  fromParticipantName: ({ from }) => from?.participantName,
  toParticipantId: ({ toParticipant }) => toParticipant,
  toParticipantName: ({ to }) => to?.participantName,
  ...fieldColumns<Payment>('reference', 'description', 'transactionHash', 'createdAt', 'updatedAt'),
}

/** The number and the oldest of the payments of each type and status; empty combinations are left out. */
export async function countsWithOldest(db: Db): Promise<PaymentCount[]> {
  const groups = await countGroups(db, null)
  const counts: PaymentCount[] = []
  for (const type of types) {
    for (const status of statuses) {
      const of = groups.filter((group) => group.type === type && group.status === status)
      const [oldest] = of.length > 0 ? await oldestOf(db).execute({ type, status }) : []
      if (!oldest) continue
      counts.push({ type, status, count: sumOf(of), oldestId: oldest.id, oldestAt: isoTime(oldest.createdAt) })
    }
  }
  return counts
}

const oldestOf = prepared((db) =>
  db
    .select({ id: payments.id, createdAt: payments.createdAt })
    .from(payments)
    .where(and(eq(payments.type, param('type')), eq(payments.status, param('status'))))
    .orderBy(asc(payments.id))
    .limit(1),
)
