import {
  and,
  caseless,
  type Db,
  eq,
  gte,
  isNotNull,
  isNull,
  lowerCase,
  lt,
  param,
  prepared,
  type SQL,
  sql,
} from '@bursar/store'
import { fail } from '../errors'
import { assets } from '../tables/assets.table'
import { endedValues } from '../tables/ended-values.table'
import { rates } from '../tables/rates.table'
import { isStablecoin } from './find-price'

const dayMs = 24 * 60 * 60 * 1000
/** The longest period that may be requested, since its rates are read one by one. */
const furthestMs = 2 * dayMs

interface HighestRate {
  rate: number
  at: Date
}

/**
 * The highest price of an asset since a time: of the stored rates, of the rate in force at that time (the last
 * one of the day before it), and of its fixed values. Rates are found by the code that they were requested for, so that
 * renaming an asset hides none. Fails (404) when there is none, (400) for a time too far back.
 */
export async function highestRate(db: Db, assetCode: string, since: Date, now: Date): Promise<HighestRate> {
  if (since.getTime() < now.getTime() - furthestMs) throw fail('SINCE_TOO_EARLY')
  const [found] = await highest(db).execute({ assetCode, since, dayBefore: new Date(since.getTime() - dayMs) })
  const fixed = isStablecoin(assetCode) ? { rate: 1, at: now } : undefined
  const rate = fixed && (!found || found.rate < fixed.rate) ? fixed : found
  if (!rate) throw fail('RATE_NOT_FOUND')
  return rate
}

const ofCode = eq(lowerCase(rates.assetCode), lowerCase(param('assetCode')))
const inForceAtSince = (db: Db) =>
  db
    .select({ at: sql`max(${rates.timestamp})` })
    .from(rates)
    .where(and(ofCode, gte(rates.timestamp, param('dayBefore')), lt(rates.timestamp, param('since'))))

/** One statement, so that a value that changes meanwhile is counted before or after the change. */
export const highestOf = (db: Db) =>
  db
    .select({ rate: rates.rate, at: rates.timestamp })
    .from(rates)
    .where(and(ofCode, gte(rates.timestamp, sql`coalesce(${inForceAtSince(db)}, ${param('since')})`)))
    .unionAll(
      db
        .select({ rate: endedValues.value, at: endedValues.endedAt })
        .from(endedValues)
        .where(
          and(
            eq(caseless(endedValues.assetCode), caseless(param('assetCode'))),
            gte(endedValues.endedAt, param('since')),
          ),
        ),
    )
    .unionAll(
      db
        .select({ rate: sql`${assets.staticValue}` as SQL<number>, at: assets.updatedAt })
        .from(assets)
        .where(
          and(
            eq(caseless(assets.code), caseless(param('assetCode'))),
            isNull(assets.deletedAt),
            isNotNull(assets.staticValue),
          ),
        ),
    )
    .orderBy(sql`1 desc`, sql`2 desc`)
    .limit(1)
const highest = prepared(highestOf)
