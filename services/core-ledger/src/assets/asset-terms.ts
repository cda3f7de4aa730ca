import { and, asc, type Db, gte, insertKeyed, lte, param, prepared, type Tx } from '@bursar/store'
import { sealedRows } from '../ledger/sealed-rows'
import { assetTerms } from './asset-terms.table'
import type { assets } from './assets.table'

type AssetRow = typeof assets.$inferSelect
export type AssetTerms = typeof assetTerms.$inferSelect

/** Records an asset's new terms, in the commit of the change. */
export async function recordTerms(tx: Tx, { id: assetId, ...asset }: AssetRow, at: Date): Promise<void> {
  const { code, decimals, network, contractAddress, deletedAt } = asset
  const terms = { assetId, code, decimals, network, contractAddress, deletedAt, at }
  sealedRows.note(tx, 'assets', await insertTerms(tx, [terms]))
}

/** The terms numbered `from` to `to`, inclusive, in ascending order. */
export const termsBetween = (db: Db, from: number, to: number, limit: number): Promise<AssetTerms[]> =>
  between(db).execute({ from, to, limit })

const insertTerms = insertKeyed(assetTerms)
const between = prepared((db) =>
  db
    .select()
    .from(assetTerms)
    .where(and(gte(assetTerms.seq, param('from')), lte(assetTerms.seq, param('to'))))
    .orderBy(asc(assetTerms.seq))
    .limit(param('limit')),
)
