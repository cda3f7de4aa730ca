import { isoTime } from '@bursar/contracts/iso-time'
import { about, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { and, asc, count, type Db, eq, min, sql, variants } from '@bursar/store'
import { findTransaction } from '../movements/read-transactions'
import { type Status, transactionTypes } from '../movements/states'
import { transactions } from '../movements/transactions.table'

/** The statuses in which a transaction needs attention; an index covers them. */
export const openStatuses = ['PENDING', 'FROZEN', 'APPROVED', 'FAILED'] as const

/** GET /transactions/counts */
export const OpenCount = t.Object(
  {
    type: about('The type of the transactions', oneOf(transactionTypes)),
    status: about(
      'PENDING, FROZEN and APPROVED wait for screening, review and execution. FAILED counts all that ever failed',
      oneOf(openStatuses),
    ),
    count: about('The number of transactions', t.Integer({ minimum: 1 })),
    oldestAt: about('The creation time of the oldest', timestamp()),
    oldestId: about('The id of the oldest', uuid()),
  },
  { title: 'OpenCount' },
)
export type OpenCount = Static<typeof OpenCount>

/**
 * Transactions that wait or have failed, by status and type. Counted in their index alone: completed ones cost nothing.
 */
export async function countOpen(db: Db): Promise<OpenCount[]> {
  const counted = await Promise.all(
    openStatuses.map(async (status) => (await countsOf({ status })(db).execute()).map((row) => ({ ...row, status }))),
  )
  const found = counted.flat().map(async ({ oldestId, ...row }): Promise<OpenCount[]> => {
    if (oldestId === null) return []
    const oldest = await findTransaction(db, oldestId)
    return oldest ? [{ ...row, oldestId, oldestAt: isoTime(oldest.createdAt) }] : []
  })
  return (await Promise.all(found)).flat()
}

/** A literal, so that SQLite recognizes the partial index over open transactions. */
const countsOf = variants(
  ({ status }: { status: Status }) =>
    (db) =>
      db
        .select({ type: transactions.type, count: count(), oldestId: min(transactions.id) })
        .from(transactions)
        .where(and(eq(transactions.status, sql.raw(`'${status}'`))))
        .groupBy(transactions.type)
        .orderBy(asc(transactions.type)),
)
