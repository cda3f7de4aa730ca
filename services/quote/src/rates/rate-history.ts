import { and, asc, type Db, desc, eq, gte, lt, param, prepared } from '@bursar/store'
import { getAsset } from '../assets/asset-relations'
import { fail } from '../errors'
import { rates } from '../tables/rates.table'
import type { RateHistory, RateHistoryQuery } from './rate-history.model'

/**
 * The rates of an asset over a period, oldest first: all of them if they are at most `points`; otherwise the period is
 * divided into that many intervals, with the last rate of each. Each interval costs one index look-up, however
 * many rates it has. Fails with 404 for an asset that does not exist, with 400 for times in the wrong order.
 */
export async function rateHistory(db: Db, { assetId, fromTime, toTime, points }: RateHistoryQuery, now: Date) {
  const asset = await getAsset(db, assetId)
  const to = toTime ?? now
  if (fromTime && fromTime > to) throw fail('TIMES_REVERSED')
  const [first] = await firstSince(db).execute({ assetId, from: fromTime ?? longAgo })
  const from = fromTime ?? first?.timestamp ?? to
  const range = { assetId, from, to: new Date(to.getTime() + 1) }
  const some = await ratesWithin(db).execute({ ...range, limit: points + 1 })
  const isThinned = some.length > points
  const intervalMs = Math.ceil((range.to.getTime() - from.getTime()) / points)
  const rows = isThinned ? await lastOfEach(db, range, intervalMs) : some
  return {
    asset: { id: asset.id, name: asset.name, code: asset.code, categoryId: asset.categoryId },
    fromTime: from.toISOString(),
    toTime: to.toISOString(),
    intervalSeconds: isThinned ? intervalMs / 1000 : null,
    points: rows.map(toPoint),
  } satisfies RateHistory
}

const longAgo = new Date(-8.64e15)

interface Range {
  assetId: string
  from: Date
  /** Exclusive. */
  to: Date
}

async function lastOfEach(db: Db, { assetId, from, to }: Range, intervalMs: number): Promise<Point[]> {
  const found: Point[] = []
  for (let start = from.getTime(); start < to.getTime(); start += intervalMs) {
    const end = new Date(Math.min(start + intervalMs, to.getTime()))
    found.push(...(await newestWithin(db).execute({ assetId, from: new Date(start), to: end })))
  }
  return found
}

type Point = Pick<typeof rates.$inferSelect, 'id' | 'rate' | 'providers' | 'timestamp'>

const toPoint = ({ id, rate, providers, timestamp }: Point) => ({
  id,
  rate,
  timestamp: timestamp.toISOString(),
  providers,
})

const point = { id: rates.id, rate: rates.rate, providers: rates.providers, timestamp: rates.timestamp }
const ofAsset = eq(rates.assetId, param('assetId'))
const isWithin = and(ofAsset, gte(rates.timestamp, param('from')), lt(rates.timestamp, param('to')))

const firstSince = prepared((db) =>
  db
    .select({ timestamp: rates.timestamp })
    .from(rates)
    .where(and(ofAsset, gte(rates.timestamp, param('from'))))
    .orderBy(asc(rates.timestamp), asc(rates.id))
    .limit(1),
)
const ratesWithin = prepared((db) =>
  db.select(point).from(rates).where(isWithin).orderBy(asc(rates.timestamp), asc(rates.id)).limit(param('limit')),
)
const newestWithin = prepared((db) =>
  db.select(point).from(rates).where(isWithin).orderBy(desc(rates.timestamp), desc(rates.id)).limit(1),
)
