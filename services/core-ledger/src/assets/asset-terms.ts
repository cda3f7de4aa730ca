import { and, asc, type Db, gt, lte, param, params, prepared, type Tx } from '@bursar/store'
import { assetTerms } from './asset-terms.table'
import type { assets } from './assets.table'

type AssetRow = typeof assets.$inferSelect
export type AssetTerms = typeof assetTerms.$inferSelect

/** Records an asset's new terms, in the commit of the change. */
export const recordTerms = (tx: Tx, { id: assetId, ...asset }: AssetRow, at: Date): Promise<unknown> => {
  const { code, decimals, network, contractAddress, deletedAt } = asset
  return insertTerms(tx).execute({ assetId, code, decimals, network, contractAddress, deletedAt, at })
}

/** The terms after one number up to and with another, oldest first. */
export const termsBetween = (db: Db, after: number, upTo: number, limit: number): Promise<AssetTerms[]> =>
  between(db).execute({ after, upTo, limit })

const insertTerms = prepared((db) => {
  const { seq, ...given } = params(assetTerms)
  return db.insert(assetTerms).values(given)
})
const between = prepared((db) =>
  db
    .select()
    .from(assetTerms)
    .where(and(gt(assetTerms.seq, param('after')), lte(assetTerms.seq, param('upTo'))))
    .orderBy(asc(assetTerms.seq))
    .limit(param('limit')),
)
