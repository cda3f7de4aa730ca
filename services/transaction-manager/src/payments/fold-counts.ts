import { addAll, asc, inArray, insertAll, param, prepared, type Store, type Tx } from '@bursar/store'
import { paymentCounts, uncountedMoves } from './counts.table'
import type { PaymentRow } from './payments'
import type { PaymentStatus } from './states'

/** Changes folded in one commit: few enough not to delay other commits. */
const movesAtOnce = 2000

/** Means any sender or receiver. */
export const anybody = '*'

/** Records that payments were created (null), or changed their status from this one, for the totals of lists. */
export const noteMoves = (tx: Tx, rows: readonly PaymentRow[], fromStatus: PaymentStatus | null): Promise<unknown> =>
  insertMoves(
    tx,
    rows.map((row) => ({
      fromId: row.fromParticipantId,
      toId: row.toParticipantId,
      type: row.type,
      currency: row.currency,
      fromStatus,
      toStatus: row.status,
    })),
  )

/** Folds all recorded changes into the counts. */
export async function foldCounts(store: Store): Promise<void> {
  while ((await store.commit(foldSome)) === movesAtOnce);
}

type Count = typeof paymentCounts.$inferSelect

async function foldSome(tx: Tx): Promise<number> {
  const moves = await oldestMoves(tx).execute({ limit: movesAtOnce })
  const changes = new Map<string, Count>()
  const add = (count: Omit<Count, 'payments'>, payments: number) => {
    const key = Object.values(count).join(' ')
    changes.set(key, { ...count, payments: (changes.get(key)?.payments ?? 0) + payments })
  }
  for (const { fromId, toId, type, currency, fromStatus, toStatus } of moves) {
    for (const pair of placesOf(fromId, toId)) {
      add({ ...pair, type, status: toStatus, currency }, 1)
      if (fromStatus) add({ ...pair, type, status: fromStatus, currency }, -1)
    }
  }
  const changed = [...changes.values()].filter(({ payments }) => payments !== 0)
  await addToCounts(tx, changed)
  if (moves.length > 0) await deleteOldest(tx).execute({ limit: movesAtOnce })
  return moves.length
}

/** The counters of a payment. */
const placesOf = (from: string | null, to: string | null) => [
  { fromId: anybody, toId: anybody },
  ...(from ? [{ fromId: from, toId: anybody }] : []),
  ...(to ? [{ fromId: anybody, toId: to }] : []),
  ...(from && to ? [{ fromId: from, toId: to }] : []),
]

const insertMoves = insertAll(uncountedMoves)
const oldestMoves = prepared((db) =>
  db.select().from(uncountedMoves).orderBy(asc(uncountedMoves.seq)).limit(param('limit')),
)
const deleteOldest = prepared((db) =>
  db
    .delete(uncountedMoves)
    .where(
      inArray(
        uncountedMoves.seq,
        db
          .select({ seq: uncountedMoves.seq })
          .from(uncountedMoves)
          .orderBy(asc(uncountedMoves.seq))
          .limit(param('limit')),
      ),
    ),
)
const addToCounts = addAll(paymentCounts, ['fromId', 'toId', 'type', 'status', 'currency'], 'payments')
