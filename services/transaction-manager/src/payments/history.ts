import { isoTime } from '@bursar/contracts/iso-time'
import type { Caller } from '@bursar/http'
import { and, type Db, desc, eq, insertAll, param, prepared, sql, type Tx } from '@bursar/store'
import { history } from './history.table'
import type { PaymentRow } from './payments'
import type { FieldChange, HistoryLine } from './payments.model'
import type { PaymentStatus } from './states'

type HistoryRow = typeof history.$inferSelect

/** A caller's name in the history; null for an anonymous one. */
export const nameOfCaller = (caller: Caller | null): string | null => caller && `${caller.kind} ${caller.subject}`

/** An action on a payment, whose present state is `row`. */
interface HistoryStep {
  row: PaymentRow
  fromStatus: PaymentStatus | null
  by: string | null
  comment: string | null
  changes?: FieldChange[]
  now: Date
}

/** Records actions on payments. */
export const writeHistory = (tx: Tx, steps: readonly HistoryStep[]): Promise<unknown> =>
  insertLines(
    tx,
    steps.map(({ row, fromStatus, by, comment, changes = null, now }) => ({
      paymentId: row.id,
      fromStatus,
      toStatus: row.status,
      comment,
      changes,
      movedBy: by,
      movedAt: now,
    })),
  )

/** The last entries of a payment's history, oldest first. */
export async function historyOf(db: Db, paymentId: string): Promise<HistoryLine[]> {
  const rows = await linesOf(db).execute({ paymentId, limit: mostLines })
  return rows.reverse().map(toLine)
}

/** Changes of details are unlimited; the returned entries are not. */
const mostLines = 200

/** The change that gave a payment its status. */
export async function lastMove(db: Db, paymentId: string): Promise<HistoryRow | undefined> {
  const [row] = await lastMoveOf(db).execute({ paymentId })
  return row
}

const toLine = ({ fromStatus, toStatus, comment, changes, movedBy, movedAt }: HistoryRow): HistoryLine => ({
  from: fromStatus,
  to: toStatus,
  by: movedBy,
  comment,
  changes: changes ?? [],
  at: isoTime(movedAt),
})

const insertLines = insertAll(history)
const linesOf = prepared((db) =>
  db
    .select()
    .from(history)
    .where(eq(history.paymentId, param('paymentId')))
    .orderBy(desc(history.seq))
    .limit(param('limit')),
)
const lastMoveOf = prepared((db) =>
  db
    .select()
    .from(history)
    .where(
      and(eq(history.paymentId, param('paymentId')), sql`coalesce(${history.fromStatus}, '') <> ${history.toStatus}`),
    )
    .orderBy(desc(history.seq))
    .limit(1),
)
