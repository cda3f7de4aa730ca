import type { ListFailure } from '@bursar/contracts/sanctions'
import { type Db, desc, lte, param, params, prepared, type Tx } from '@bursar/store'
import { listFailures } from './lists.table'

const kept = 100

/** Records that a list could not be loaded, and why. */
export async function recordListFailure(tx: Tx, { source, reason }: ListFailure, at: Date): Promise<void> {
  const id = await insertFailure(tx).execute({ source, reason, at })
  await deleteUpTo(tx).execute({ id: id - kept })
}

/** The last failed update; undefined when there was none. */
export async function lastListFailure(db: Db): Promise<typeof listFailures.$inferSelect | undefined> {
  const [row] = await newest(db).execute()
  return row
}

const insertFailure = prepared((db) => db.insert(listFailures).values(params(listFailures)), 'key')
const deleteUpTo = prepared((db) => db.delete(listFailures).where(lte(listFailures.id, param('id'))))
const newest = prepared((db) => db.select().from(listFailures).orderBy(desc(listFailures.id)).limit(1))
