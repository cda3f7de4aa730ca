import { type Db, eq, param, prepared, sql, type Tx } from '@bursar/store'
import { counters } from './counters.table'

/** The counters: the records of each unfiltered list, and the rates of one asset. */
export type Counted = 'assets' | 'categories' | 'providers' | 'rates' | ReturnType<typeof ratesOf>

/** The name of an asset's counter of rates. */
export const ratesOf = (assetId: string) => `rates:${assetId}` as const

/** Adds `by` (it may be negative) to a counter, in the commit that creates or deletes the records. */
export async function bump(tx: Tx, name: Counted, by: number): Promise<void> {
  await addTo(tx).execute({ name, by })
}

/** The value of a counter. */
export async function total(read: Db, name: Counted): Promise<number> {
  const [row] = await totalOf(read).execute({ name })
  return row?.total ?? 0
}

const addTo = prepared((db) =>
  db
    .insert(counters)
    .values({ name: param('name'), total: param('by') })
    .onConflictDoUpdate({ target: counters.name, set: { total: sql`${counters.total} + ${param('by')}` } }),
)
const totalOf = prepared((db) =>
  db
    .select({ total: counters.total })
    .from(counters)
    .where(eq(counters.name, param('name'))),
)
