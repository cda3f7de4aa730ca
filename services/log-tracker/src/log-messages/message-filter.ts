import { and, type Db, gte, lt, param, type SQL, sql } from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { logMessages, logSeries } from './log-messages.table'

/** What the series of a message must be; null selects all. */
export interface SeriesFilter {
  service: string | null
  eventType: string | null
  status: string | null
  /** Event types left out, each between commas (`,HEALTH_CHECK,`), so that a statement can look for one; null for none. */
  excluded: string | null
}

/** `excluded` of a SeriesFilter for these event types. */
export const toExcluded = (types: readonly string[] | undefined): string | null =>
  types?.length ? `,${types.join()},` : null

/** The event types that a filter leaves out of what it would select. */
export const excludedTypes = ({ excluded }: SeriesFilter): string[] =>
  (excluded ?? '').split(',').filter((type) => type !== '')

/** A stretch of time: `from` belongs to it, `to` does not. */
export interface Span {
  from: Date
  to: Date
}

/** The longest span there is: a Date goes no further. */
export const always: Span = { from: new Date(-8.64e15), to: new Date(8.64e15) }

export const isAlways = ({ from, to }: Span): boolean => +from === +always.from && +to === +always.to
export const isEmpty = ({ from, to }: Span): boolean => from >= to
export const takesAll = (filter: SeriesFilter): boolean => takesAllNames(filter) && filter.excluded === null
/** True when it excludes types at most. */
export const takesAllNames = ({ service, eventType, status }: SeriesFilter): boolean =>
  service === null && eventType === null && status === null

const isWanted = (column: AnyColumn, name: keyof SeriesFilter): SQL =>
  sql`(${param(name)} is null or ${column} = ${param(name)})`

/** Selects the `log_series` rows of a SeriesFilter, whose fields are parameters. */
export const seriesIsWanted = and(
  isWanted(logSeries.service, 'service'),
  isWanted(logSeries.eventType, 'eventType'),
  isWanted(logSeries.status, 'status'),
  sql`(${param('excluded')} is null or ${param('excluded')} not like '%,' || ${logSeries.eventType} || ',%')`,
)

const wantedSeries = (db: Db) => db.select({ id: logSeries.id }).from(logSeries).where(seriesIsWanted)

/**
 * Tests each row that another condition has found. The `+` keeps the database from looking series up one by one, which
 * is slower wherever it would then have to sort what it found.
 */
export const isOfWantedSeries = (db: Db) => sql`+${logMessages.seriesId} in ${wantedSeries(db)}`

/** A Span, given as parameters, looked up in an index. */
export const inSpan = (column: AnyColumn) => and(gte(column, param('from')), lt(column, param('to')))
