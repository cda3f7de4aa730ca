import type { SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { and, asc, caseless, type Db, eq, folded, gte, isNull, lt, param, prepared } from '@bursar/store'
import { assets } from '../tables/assets.table'

/** The assets whose id or code equals the text, then those whose name begins with it. */
export async function findHits(db: Db, { q }: Sought): Promise<SearchHit[]> {
  const name = folded(q)
  const found = [
    ...(await withId(db).execute({ id: q.toLowerCase() })),
    ...(await withCode(db).execute({ code: q })),
    ...(await namedLike(db).execute({ from: name, to: `${name}\u{10ffff}` })),
  ]
  return [...new Map(found.map((asset) => [asset.id, toHit(asset)])).values()]
}

type Found = Pick<typeof assets.$inferSelect, 'id' | 'name' | 'code' | 'createdAt'>

const toHit = ({ id, name, code, createdAt }: Found): SearchHit => ({
  kind: 'asset',
  id,
  title: `${name} (${code})`,
  detail: 'Asset of the quote service',
  status: null,
  at: createdAt.toISOString(),
})

const shown = { id: assets.id, name: assets.name, code: assets.code, createdAt: assets.createdAt }
const isLive = isNull(assets.deletedAt)
const withId = prepared((db) =>
  db
    .select(shown)
    .from(assets)
    .where(and(eq(assets.id, param('id')), isLive)),
)
const withCode = prepared((db) =>
  db
    .select(shown)
    .from(assets)
    .where(and(eq(caseless(assets.code), caseless(param('code'))), isLive)),
)
const namedLike = prepared((db) =>
  db
    .select(shown)
    .from(assets)
    .where(and(gte(assets.searchName, param('from')), lt(assets.searchName, param('to')), isLive))
    .orderBy(asc(assets.searchName), asc(assets.id))
    .limit(5),
)
