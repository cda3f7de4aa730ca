import { AppError } from '@bursar/http'
import {
  and,
  anywhere,
  asc,
  type Db,
  desc,
  eq,
  inArray,
  listParams,
  listSize,
  listValues,
  nextTurn,
  param,
  type SQL,
  sql,
  variants,
} from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { refuseDeepPage } from '../lists/deep-pages'
import { assets } from '../tables/assets.table'
import { rates } from '../tables/rates.table'
import { countRates, isOfNamedAsset, isWithin, type RateFilter } from './count-rates'
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
  if (from > to) throw wrongOrder()
  const filter = { from, to, pattern: query.name ? anywhere(query.name) : null }
  const { matching, all } = await countRates(db, filter, query)
  if (limit === 0 || offset >= matching) return { rows: [], total: matching }
  refuseDeepPage(query, matching)
  const isFew = matching < all && (matching <= mostSorted || (offset + limit) * all > 4 * matching * matching)
  const isTimed = query.fromTime !== undefined || query.toTime !== undefined
  const form = { isTimed, isNamed: filter.pattern !== null, sortBy, sortOrder }
  const page = { limit, offset }
  if (matching < all && !isFew) return { rows: await alongSort(db, form, filter, page), total: matching }
  const rows = await pageOfRates({ ...form, along: isFew ? 'filter' : 'sort' })(db).execute({ ...filter, ...page })
  return { rows, total: matching }
}

/** Rates that one statement scans when the number of matches among them is unknown. */
const windowRates = 10_000

/** Scans the sort's index a window at a time: all matches may be at its end. */
async function alongSort(
  db: Db,
  form: FilterForm,
  filter: RateFilter,
  { limit, offset }: Pick<RateQuery, 'limit' | 'offset'>,
): Promise<RateRow[]> {
  const found: string[] = []
  let after: { key: unknown; id: string } | null = null
  while (found.length < offset + limit) {
    const isFirst: boolean = after === null
    const begun = { ...filter, afterKey: after?.key, afterId: after?.id }
    const [end]: { key: unknown; id: string }[] = await endOfWindow({ ...form, isFirst })(db).execute({
      ...begun,
      skip: windowRates - 1,
    })
    const part = { ...form, isFirst, isLast: end === undefined }
    const wanted = { limit: offset + limit - found.length, untilKey: end?.key, untilId: end?.id }
    const ids = await idsOfWindow(part)(db).execute({ ...begun, ...wanted })
    found.push(...ids.map(({ id }) => id))
    if (end === undefined) break
    after = end
    await nextTurn()
  }
  const ids = found.slice(offset)
  if (ids.length === 0) return []
  return await ratesWithIds({ ...form, size: listSize(ids) })(db).execute(listValues('id', ids))
}

/** The number of rates that can be read and sorted at once without delaying other requests. */
const mostSorted = 15_000

function wrongOrder(): AppError {
  const message = 'fromTime must not be after toTime'
  return new AppError('INVALID_REQUEST', 400, message, { fields: [{ field: 'fromTime', message }] })
}

const columns = {
  id: rates.id,
  assetId: rates.assetId,
  assetCode: rates.assetCode,
  rate: rates.rate,
  providers: rates.providers,
  timestamp: rates.timestamp,
  name: assets.name,
  code: assets.code,
  categoryId: assets.categoryId,
}

const sorts = { timestamp: rates.timestamp, rate: rates.rate }

type FilterForm = { isNamed: boolean; isTimed: boolean } & Pick<RateQuery, 'sortBy' | 'sortOrder'>
type PageForm = FilterForm & { along: 'sort' | 'filter' }

const pageOfRates = variants(({ along, isNamed, isTimed, sortBy, sortOrder }: PageForm) => {
  const direction = sortOrder === 'asc' ? asc : desc
  const bySort = along === 'sort'
  // A scan by time needs the times to know where to begin.
  const time = bySort && sortBy === 'rate' ? unindexed(rates.timestamp) : rates.timestamp
  const sort = bySort ? sorts[sortBy] : unindexed(sorts[sortBy])
  return (db) => {
    // The ids first: skipped rows are read in the index only, without the row or its asset.
    const ids = db
      .select({ id: rates.id })
      .from(rates)
      .where(
        and(
          isTimed ? isWithin(time) : undefined,
          isNamed ? isOfNamedAsset(db, bySort ? unindexed(rates.assetId) : rates.assetId) : undefined,
        ),
      )
      .orderBy(direction(sort), direction(rates.id))
      .limit(param('limit'))
      .offset(param('offset'))
    return rowsOf(db, inArray(rates.id, ids), { sortBy, sortOrder })
  }
})

const rowsOf = (db: Db, isWanted: SQL, { sortBy, sortOrder }: Pick<RateQuery, 'sortBy' | 'sortOrder'>) => {
  const direction = sortOrder === 'asc' ? asc : desc
  return db
    .select(columns)
    .from(rates)
    .leftJoin(assets, eq(assets.id, rates.assetId))
    .where(isWanted)
    .orderBy(direction(unindexed(sorts[sortBy])), direction(sql`+${rates.id}`))
}

const ratesWithIds = variants(
  ({ size, ...form }: FilterForm & { size: number }) =>
    (db) =>
      rowsOf(db, inArray(rates.id, listParams('id', size)), form),
)

/** Where a window begins, after the previous one; times are included only if the sort's index covers them. */
const fromWindow = ({ isFirst, isTimed, sortBy, sortOrder }: FilterForm & { isFirst: boolean }) => {
  const beyond = sortOrder === 'asc' ? sql`>` : sql`<`
  return and(
    isFirst ? undefined : sql`(${sorts[sortBy]}, ${rates.id}) ${beyond} (${param('afterKey')}, ${param('afterId')})`,
    isTimed && sortBy === 'timestamp' ? isWithin(rates.timestamp) : undefined,
  )
}
const inSort = ({ sortBy, sortOrder }: FilterForm) => {
  const direction = sortOrder === 'asc' ? asc : desc
  return [direction(sorts[sortBy]), direction(rates.id)]
}

/** The last rate of a window. */
const endOfWindow = variants(
  (form: FilterForm & { isFirst: boolean }) => (db) =>
    db
      .select({ key: sorts[form.sortBy], id: rates.id })
      .from(rates)
      .where(fromWindow(form))
      .orderBy(...inSort(form))
      .limit(1)
      .offset(param('skip')),
)
const idsOfWindow = variants((form: FilterForm & { isFirst: boolean; isLast: boolean }) => (db) => {
  const up = form.sortOrder === 'asc' ? sql`<=` : sql`>=`
  const until = sql`(${sorts[form.sortBy]}, ${rates.id}) ${up} (${param('untilKey')}, ${param('untilId')})`
  return db
    .select({ id: rates.id })
    .from(rates)
    .where(
      and(
        fromWindow(form),
        form.isLast ? undefined : until,
        form.isTimed && form.sortBy === 'rate' ? isWithin(unindexed(rates.timestamp)) : undefined,
        form.isNamed ? isOfNamedAsset(db, unindexed(rates.assetId)) : undefined,
      ),
    )
    .orderBy(...inSort(form))
    .limit(param('limit'))
})

/** The column's value, in a form for which no index is used. */
const unindexed = (column: AnyColumn): SQL => sql`coalesce(${column}, ${column})`

/** A stored rate with its asset. */
export interface RateRow {
  id: string
  assetId: string | null
  assetCode: string
  rate: number
  providers: Record<string, number>
  timestamp: Date
  name: string | null
  code: string | null
  categoryId: string | null
}

/** The rate as the API returns it (spec 1, Rate record). */
export const toRate = (row: RateRow): Rate => ({
  id: row.id,
  assetId: row.assetId,
  rate: row.rate,
  currency: 'USD',
  timestamp: row.timestamp.toISOString(),
  data: { assetCode: row.assetCode, providers: row.providers },
  asset:
    row.assetId === null
      ? null
      : { id: row.assetId, name: row.name ?? '', code: row.code ?? '', categoryId: row.categoryId },
})
