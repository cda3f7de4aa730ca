import { and, byKey, type Db, desc, eq, inArray, isNull, param, prepared, queryAmong } from '@bursar/store'
import { type AttemptRow, attempts, sends } from './sends.table'

/** The record of a signed transaction. Open: as far as known here, it may still be included. */
export async function findAttempt(
  db: Db,
  network: string,
  txHash: string,
): Promise<{ isOpen: boolean; expiresAt: number | null } | null> {
  const [row] = await attemptByHash(db).execute({ network, txHash })
  return row ? { isOpen: row.status === 'broadcast' && row.lostAt === null, expiresAt: row.expiresAt } : null
}

/** The attempts of sends that may be on the chain, newest first, by the send. */
export async function readAttemptsOf(db: Db, ids: readonly string[]): Promise<Map<string, AttemptRow[]>> {
  const rows = await liveAttemptsOf(db, ids)
  return Map.groupBy(rows, ({ sendId }) => sendId)
}

/** Whether anything was ever signed for it. */
export const hasAttempts = async (db: Db, sendId: string): Promise<boolean> =>
  (await allAttempts(db).execute({ sendId })).length > 0

const attemptByHash = prepared((db) =>
  db
    .select({ status: sends.status, lostAt: attempts.lostAt, expiresAt: attempts.expiresAt })
    .from(attempts)
    .innerJoin(sends, eq(sends.id, attempts.sendId))
    .where(and(eq(attempts.network, param('network')), eq(attempts.txHash, param('txHash')))),
)
const allAttempts = byKey(attempts, 'sendId')
const liveAttemptsOf = queryAmong(
  (ids) => (db) =>
    db
      .select()
      .from(attempts)
      .where(and(inArray(attempts.sendId, ids), isNull(attempts.lostAt)))
      .orderBy(desc(attempts.seq)),
)
