import {
  and,
  asc,
  type Db,
  desc,
  gt,
  lt,
  matches,
  nextTurn,
  param,
  prepared,
  count as rows,
  type SQL,
  sql,
  variants,
} from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { ratesOf, total, totalWhere } from '../counters/counters'
import { assets } from '../tables/assets.table'
import { rates } from '../tables/rates.table'
import type { RateQuery } from './rates.model'

/** The filters of a list of rates. */
interface RateFilter {
  from: Date
  to: Date
  /** A LIKE pattern for the asset's name; null for all rates. */
  pattern: string | null
}

/** The number of matching rates and of all rates. From counters, unless a time is given. */
export async function countRates(
  read: Db,
  filter: RateFilter,
  { fromTime, toTime }: Pick<RateQuery, 'fromTime' | 'toTime'>,
): Promise<{ matching: number; all: number }> {
  const all = await total(read, 'rates')
  const ofAssets = filter.pattern === null ? all : totalOf(await named(read).execute({ pattern: filter.pattern }))
  const hasTime = fromTime !== undefined || toTime !== undefined
  // All names are compared again: other requests are answered first.
  if (hasTime && filter.pattern !== null) await nextTurn()
  return { all, matching: hasTime ? await countWithin(read, ofAssets, filter) : ofAssets }
}

/** Counts the rates inside or outside the period, whichever seem fewer, since each counted one is read. */
async function countWithin(read: Db, ofAssets: number, filter: RateFilter): Promise<number> {
  const [first] = await earliest(read).execute()
  const [last] = await latest(read).execute()
  if (!first || !last) return 0
  const { from, to } = filter
  const isNamed = filter.pattern !== null
  const count = async (part: Part) => totalOf(await countOf({ part, isNamed })(read).execute({ ...filter }))
  const insideMs = Math.min(+to, +last.at) - Math.max(+from, +first.at)
  if (insideMs * 2 < +last.at - +first.at) return await count('within')
  return ofAssets - (await count('before')) - (await count('after'))
}

const totalOf = ([row]: { total: number }[]): number => row?.total ?? 0

/** The rate's time is within the period, inclusive. */
export const isWithin = (column: AnyColumn | SQL): SQL => sql`${column} between ${param('from')} and ${param('to')}`

/** The rate's asset, deleted or not, has a name that matches. */
export const isOfNamedAsset = (db: Db, column: AnyColumn | SQL): SQL =>
  sql`${column} in ${namedAssets(db, sql`${assets.id}`)}`

const namedAssets = (db: Db, value: SQL) =>
  db
    .select({ value })
    .from(assets)
    .where(matches(assets.searchName, param('pattern')))

const counted = { total: rows() }
const named = prepared((db) =>
  db
    .select({ total: totalWhere((name) => sql`${name} in ${namedAssets(db, sql`${ratesOf('')} || ${assets.id}`)}`) })
    .from(sql`(select 1) as counted`),
)
const parts = {
  within: isWithin(rates.timestamp),
  before: lt(rates.timestamp, param('from')),
  after: gt(rates.timestamp, param('to')),
}
type Part = keyof typeof parts
const countOf = variants(
  ({ part, isNamed }: { part: Part; isNamed: boolean }) =>
    (db) =>
      db
        .select(counted)
        .from(rates)
        .where(and(isNamed ? isOfNamedAsset(db, rates.assetId) : undefined, parts[part])),
)
const ends = { at: rates.timestamp }
const earliest = prepared((db) => db.select(ends).from(rates).orderBy(asc(rates.timestamp)).limit(1))
const latest = prepared((db) => db.select(ends).from(rates).orderBy(desc(rates.timestamp)).limit(1))
