import type { SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { and, asc, type Db, folded, gte, isNull, lt, param, prepared } from '@bursar/store'
import { assets } from '../tables/assets.table'
import { type AssetRow, assetByCode, findAsset } from './assets'

/** The assets whose id or code equals the text, then those whose name begins with it. */
export async function findHits(db: Db, { q }: Sought): Promise<SearchHit[]> {
  const name = folded(q)
  const withId = await findAsset(db, q.toLowerCase())
  const found = [
    ...(withId ? [withId] : []),
    ...(await assetByCode(db).execute({ code: q })),
    ...(await namedLike(db).execute({ from: name, to: `${name}\u{10ffff}` })),
  ]
  return [...new Map(found.map((asset) => [asset.id, toHit(asset)])).values()]
}

const toHit = ({ id, name, code, createdAt }: AssetRow): SearchHit => ({
  kind: 'asset',
  id,
  title: `${name} (${code})`,
  detail: 'Asset of the quote service',
  status: null,
  at: createdAt.toISOString(),
})

const namedLike = prepared((db) =>
  db
    .select()
    .from(assets)
    .where(and(gte(assets.searchName, param('from')), lt(assets.searchName, param('to')), isNull(assets.deletedAt)))
    .orderBy(asc(assets.searchName), asc(assets.id))
    .limit(5),
)
