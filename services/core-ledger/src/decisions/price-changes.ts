import { and, type Db, deleteBefore, eq, gte, insertAll, isNull, or, param, prepared, type Tx } from '@bursar/store'
import { priceChanges } from './price-changes.table'

const dayMs = 86_400_000
/** Longer than the day for which they count, so that a clock that is set back does not lose them. */
const keptMs = 7 * dayMs

/** Records that a person has changed the basis of an asset's value; null for all assets. */
export async function recordPriceChange(tx: Tx, userId: string, assetCode: string | null, at: Date): Promise<void> {
  await insertChanges(tx, [{ userId, assetCode: assetCode?.toLowerCase() ?? null, at }])
  await deleteOld(tx, new Date(at.getTime() - keptMs))
}

/** Whether a person has changed the basis of an asset's value within a day. */
export async function hasPriced(db: Db, userId: string, assetCode: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - dayMs)
  const [row] = await changeBy(db).execute({ userId, assetCode: assetCode.toLowerCase(), since })
  return row !== undefined
}

const insertChanges = insertAll(priceChanges)
const deleteOld = deleteBefore(priceChanges, 'at')
const changeBy = prepared((db) =>
  db
    .select({ number: priceChanges.number })
    .from(priceChanges)
    .where(
      and(
        eq(priceChanges.userId, param('userId')),
        gte(priceChanges.at, param('since')),
        or(isNull(priceChanges.assetCode), eq(priceChanges.assetCode, param('assetCode'))),
      ),
    )
    .limit(1),
)
