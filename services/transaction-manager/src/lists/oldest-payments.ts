import { isoTime } from '@bursar/contracts/iso-time'
import { and, asc, type Db, eq, param, prepared } from '@bursar/store'
import { payments } from '../payments/payments.table'
import { statuses, types } from '../payments/states'
import { countGroups, sumOf } from './count-payments'
import type { PaymentCount } from './lists.model'

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
