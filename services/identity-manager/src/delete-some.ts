import { and, asc, inArray, type insertInto, lt, param, prepared, type SQL, type Tx } from '@bursar/store'

type Table = Parameters<typeof insertInto>[0]
type Column = Table['_']['columns'][string]

/** Rows that one commit deletes: few, so that other commits never wait long. */
const chunk = 200

/**
 * Declares the deletion of some rows, the oldest first, whose time in the column `at` is past, or more than `keptMs` ago.
 * Rows of one key are deleted together. Returns true when there may be more.
 */
export function deleteSome(
  table: Table,
  { key, at, keptMs = 0, only }: { key: Column; at: Column; keptMs?: number; only?: SQL },
): (tx: Tx, now: Date) => Promise<boolean> {
  const statement = prepared((db) => {
    const old = db
      .select({ key })
      .from(table)
      .where(and(lt(at, param('before')), only))
      .orderBy(asc(at))
      .limit(param('chunk'))
    return db.delete(table).where(inArray(key, old))
  }, 'rows')
  return async (tx, now) => (await statement(tx).execute({ before: new Date(now.getTime() - keptMs), chunk })) >= chunk
}
