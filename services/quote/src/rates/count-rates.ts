import { and, asc, count, type Db, desc, gt, lt, matches, param, prepared, type SQL, sql } from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { assets } from '../assets/assets.table'
import { ratesOf, total } from '../counters/counters'
import { counters } from '../counters/counters.table'
import type { RateQuery } from './rates.model'
import { rates } from './rates.table'

/** Which rates a list shows. */
export interface RateFilter {
  from: Date
  to: Date
  /** A LIKE pattern for the asset's name; null where all rates are wanted. */
  pattern: string | null
}

/** How many rates match, and how many there are. From counters, unless a time is given. */
export async function countRates(
  read: Db,
  filter: RateFilter,
  { fromTime, toTime }: Pick<RateQuery, 'fromTime' | 'toTime'>,
): Promise<{ matching: number; all: number }> {
  const all = await total(read, 'rates')
  const hasTime = fromTime !== undefined || toTime !== undefined
  if (filter.pattern !== null) return { all, matching: await only((hasTime ? namedWithin : named)(read), filter) }
  return { all, matching: hasTime ? await countWithin(read, all, filter) : all }
}

/** Counts the rates inside the times or those outside of them, whichever seem to be fewer: each one counted is read. */
async function countWithin(read: Db, all: number, { from, to }: RateFilter): Promise<number> {
  const [first] = await earliest(read).execute()
  const [last] = await latest(read).execute()
  if (!first || !last) return 0
  const insideMs = Math.min(+to, +last.at) - Math.max(+from, +first.at)
  if (insideMs * 2 < +last.at - +first.at) return await only(within(read), { from, to })
  return all - (await only(before(read), { from })) - (await only(after(read), { to }))
}

type Count = { execute(values: Record<string, unknown>): Promise<{ total: number }[]> }

async function only(statement: Count, values: object): Promise<number> {
  const [row] = await statement.execute({ ...values })
  return row?.total ?? 0
}

const moment = (name: 'from' | 'to') => sql.param(param(name), rates.timestamp)

/** The rate's time lies within the two moments, each included. */
export const isWithin = (column: AnyColumn | SQL): SQL => sql`${column} between ${moment('from')} and ${moment('to')}`

/** The rate's asset, deleted or not, has a name that matches. */
export const isOfNamedAsset = (db: Db, column: AnyColumn | SQL): SQL =>
  sql`${column} in ${namedAssets(db, sql`${assets.id}`)}`

const namedAssets = (db: Db, value: SQL) =>
  db
    .select({ value })
    .from(assets)
    .where(matches(assets.searchName, param('pattern')))

const counted = { total: count() }
const named = prepared((db) =>
  db
    .select({ total: sql`coalesce(sum(${counters.total}), 0)`.mapWith(Number) })
    .from(counters)
    .where(sql`${counters.name} in ${namedAssets(db, sql`${ratesOf('')} || ${assets.id}`)}`),
)
const namedWithin = prepared((db) =>
  db
    .select(counted)
    .from(rates)
    .where(and(isOfNamedAsset(db, rates.assetId), isWithin(rates.timestamp))),
)
const within = prepared((db) => db.select(counted).from(rates).where(isWithin(rates.timestamp)))
const before = prepared((db) =>
  db
    .select(counted)
    .from(rates)
    .where(lt(rates.timestamp, moment('from'))),
)
const after = prepared((db) =>
  db
    .select(counted)
    .from(rates)
    .where(gt(rates.timestamp, moment('to'))),
)
const ends = { at: rates.timestamp }
const earliest = prepared((db) => db.select(ends).from(rates).orderBy(asc(rates.timestamp)).limit(1))
const latest = prepared((db) => db.select(ends).from(rates).orderBy(desc(rates.timestamp)).limit(1))
