import { type Db, eq, or, param, params, prepared, type Tx } from '@bursar/store'
import { shortfalls } from './shortfalls.table'

export type Shortfall = typeof shortfalls.$inferSelect

/** Of an account's asset, or with null of all that is owed of the asset. */
const shortfallKey = (accountId: string | null, assetId: string): string => `${accountId ?? 'all'} ${assetId}`

/** Why withdrawals of an account's asset wait; null when they do not. */
export async function shortfallOf(db: Db, accountId: string, assetId: string): Promise<Shortfall | null> {
  const [row] = await concerning(db).execute({
    ofAccount: shortfallKey(accountId, assetId),
    ofAll: shortfallKey(null, assetId),
  })
  return row ?? null
}

/** Withdrawals wait from now on; one that is known keeps its time. */
export const openShortfall = (tx: Tx, found: Omit<Shortfall, 'key'>): Promise<unknown> =>
  upsert(tx).execute({ ...found, key: shortfallKey(found.accountId, found.assetId) })

/** It is whole again. */
export const closeShortfall = (tx: Tx, accountId: string | null, assetId: string): Promise<unknown> =>
  remove(tx).execute({ key: shortfallKey(accountId, assetId) })

export const listShortfalls = (db: Db): Promise<Shortfall[]> => all(db).execute()

const concerning = prepared((db) =>
  db
    .select()
    .from(shortfalls)
    .where(or(eq(shortfalls.key, param('ofAccount')), eq(shortfalls.key, param('ofAll'))))
    .limit(1),
)
const upsert = prepared((db) =>
  db
    .insert(shortfalls)
    .values(params(shortfalls))
    .onConflictDoUpdate({ target: shortfalls.key, set: { reason: param('reason') } }),
)
const remove = prepared((db) => db.delete(shortfalls).where(eq(shortfalls.key, param('key'))))
const all = prepared((db) => db.select().from(shortfalls))
