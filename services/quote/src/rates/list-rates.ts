import {
  type Asked,
  and,
  anywhere,
  type Db,
  defineSortedList,
  eq,
  getTableColumns,
  inArray,
  queryAmong,
  unindexed,
} from '@bursar/store'
import { fail } from '../errors'
import { refuseDeepPage } from '../lists/deep-pages'
import { assets } from '../tables/assets.table'
import { rates } from '../tables/rates.table'
import { countRates, isOfNamedAsset, isWithin } from './count-rates'
import type { Rate, RateQuery } from './rates.model'

/** The longest period a Date can express. */
const ever = { from: new Date(-8.64e15), to: new Date(8.64e15) }

/**
 * A page of stored rates with their assets, including deleted ones. Fails with 400 when the times are in the wrong
 * order.
 *
 * With many rates the index decides the speed. Along the sort's index, the page is full after `offset + limit` matches:
 * fast when many match. Along the filter's, all matches are read and sorted: fast when few match, wherever in the sort
 * order they are. The page's total is known first and decides.
 */
export async function listRates(db: Db, query: RateQuery): Promise<{ rows: RateRow[]; total: number }> {
  const { fromTime: from = ever.from, toTime: to = ever.to, limit, offset, sortBy, sortOrder } = query
  if (from > to) {
    throw fail('TIMES_REVERSED', { fields: [{ field: 'fromTime', message: 'fromTime must not be after toTime' }] })
  }
  const filter = { from, to, pattern: query.name ? anywhere(query.name) : null }
  const { matching, all } = await countRates(db, filter, query)
  if (limit === 0 || offset >= matching) return { rows: [], total: matching }
  refuseDeepPage(query, matching)
  const isFew = matching < all && (matching <= mostSorted || (offset + limit) * all > 4 * matching * matching)
  const isTimed = query.fromTime !== undefined || query.toTime !== undefined
  const along = isFew ? ('filter' as const) : matching < all ? ('windows' as const) : ('sort' as const)
  const form = { isTimed, isNamed: filter.pattern !== null, sortBy, along }
  const ids = await rateIds.page(db, { form, values: { ...filter } }, { order: sortOrder, limit, offset })
  const found = new Map((await ratesWithIds(db, ids)).map((row) => [row.rate.id, row]))
  return { rows: ids.flatMap((id) => found.get(id) ?? []), total: matching }
}

/** The number of rates that can be read and sorted at once without delaying other requests. */
const mostSorted = 15_000

const sorts = { timestamp: rates.timestamp, rate: rates.rate }

/** `windows`: along the sort's index, where all matches may be at its end. */
type RateForm = { isNamed: boolean; isTimed: boolean; along: 'sort' | 'windows' | 'filter' } & Pick<RateQuery, 'sortBy'>

/** The ids first: skipped rows are read in the index only, without the row or its asset. */
const rateIds = defineSortedList({
  id: rates.id,
  rows: (db) => db.select({ id: rates.id }).from(rates),
  to: ({ id }) => id,
  read: (asked: Asked<RateForm>) => asked,
  where: ({ isNamed, isTimed, along, sortBy }, db) => {
    const bySort = along !== 'filter'
    // A scan by time needs the times to know where to begin.
    const time = bySort && sortBy === 'rate' ? unindexed(rates.timestamp) : rates.timestamp
    return and(
      isTimed ? isWithin(time) : undefined,
      isNamed ? isOfNamedAsset(db, bySort ? unindexed(rates.assetId) : rates.assetId) : undefined,
    )
  },
  sort: ({ sortBy }) => sorts[sortBy],
  isSparse: ({ along }) => along === 'windows',
  along: ({ isTimed, sortBy }) => (isTimed && sortBy === 'timestamp' ? isWithin(rates.timestamp) : undefined),
  isSorted: ({ along }) => along === 'filter',
})

const ratesWithIds = queryAmong(
  (ids) => (db) =>
    db
      .select({
        rate: getTableColumns(rates),
        asset: { id: assets.id, name: assets.name, code: assets.code, categoryId: assets.categoryId },
      })
      .from(rates)
      .leftJoin(assets, eq(assets.id, rates.assetId))
      .where(inArray(rates.id, ids)),
)

/** A stored rate with its asset. */
interface RateRow {
  rate: typeof rates.$inferSelect
  asset: Rate['asset']
}

/** The rate as the API returns it (spec 1, Rate record). */
export const toRate = ({ rate: { assetCode, providers, timestamp, ...rate }, asset }: RateRow): Rate => ({
  ...rate,
  currency: 'USD',
  timestamp: timestamp.toISOString(),
  data: { assetCode, providers },
  asset,
})
