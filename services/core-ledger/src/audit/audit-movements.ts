import { and, asc, type ChunkPlace, type Db, eq, gt, inChunks, isNotNull, param, prepared } from '@bursar/store'
import { journal } from '../ledger/journal.table'
import { movements } from '../portfolios/movements.table'
import { AuditDifference } from './audit-difference'

const chunkRows = 300

/**
 * Checks that the journal has an entry of every booked movement. Yields the number of movements
 * after each chunk. Throws AuditDifference at the first without one.
 */
export async function* auditMovements(read: Db): AsyncGenerator<number> {
  const chunk = (place: ChunkPlace<string>) => bookedChunk(read).execute({ ...place })
  for await (const rows of inChunks(chunk, { size: chunkRows, start: '', keyOf: ({ id }) => id })) {
    const missing = rows.find(({ seq }) => seq === null)
    if (missing) throw new AuditDifference(`Movement ${missing.id} is booked, and the journal has no entry of it`)
    yield rows.length
  }
}

const bookedChunk = prepared((db) =>
  db
    .select({ id: movements.id, seq: journal.seq })
    .from(movements)
    .leftJoin(journal, eq(journal.transactionId, movements.id))
    .where(and(gt(movements.id, param('after')), isNotNull(movements.bookedAt)))
    .orderBy(asc(movements.id))
    .limit(param('limit')),
)
