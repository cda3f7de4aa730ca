import { count, type Db, desc, eq, inArray, nextTurn, param, prepared, sql, variants } from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { type TransferRow, transfers } from './transfers.table'

/** The movements to and from an address, newest first. */
export const readHistory = (db: Db, key: string, limit: number, offset: number): Promise<TransferRow[]> =>
  historyOf(db).execute({ key, limit, offset })

export async function countHistory(db: Db, key: string): Promise<number> {
  const [paid] = await historySize({ key: 'fromKey' })(db).execute({ key })
  await nextTurn()
  const [received] = await historySize({ key: 'toKey' })(db).execute({ key })
  return (paid?.transfers ?? 0) + (received?.transfers ?? 0)
}

/** Transfers from an address to itself are not stored, so each is on one side. */
const side = (db: Db, key: AnyColumn) =>
  db
    .select({ id: transfers.id, at: transfers.at })
    .from(transfers)
    .where(eq(key, param('key')))
const historyOf = prepared((db) =>
  db
    .select()
    .from(transfers)
    .where(
      inArray(
        transfers.id,
        db.select({ id: sql`id` }).from(
          // Both sides are read in index order, and the database merges them.
          side(db, transfers.fromKey)
            .unionAll(side(db, transfers.toKey))
            .orderBy(sql`2 desc, 1 desc`)
            .limit(param('limit'))
            .offset(param('offset'))
            .as('newest'),
        ),
      ),
    )
    .orderBy(desc(transfers.at), desc(transfers.id)),
)
const historySize = variants(
  ({ key }: { key: 'fromKey' | 'toKey' }) =>
    (db) =>
      db
        .select({ transfers: count() })
        .from(transfers)
        .where(eq(transfers[key], param('key'))),
)
