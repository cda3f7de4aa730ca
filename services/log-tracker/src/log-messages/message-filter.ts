import { and, type Db, eq, gte, inArray, lt, param, type SQL, sql, tested, unindexed } from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { logMessages, logSeries } from './log-messages.table'

/** The condition on a message's series; null selects all. */
export interface SeriesFilter {
  service: string | null
  eventType: string | null
  status: string | null
  /**
   * Event types left out, each between commas (`,HEALTH_CHECK,`), so that a statement can look for one; null for none.
   */
  excluded: string | null
}

/** `excluded` of a SeriesFilter for these event types. */
export const toExcluded = (types: readonly string[] | undefined): string | null =>
  types?.length ? `,${types.join()},` : null

/** The event types that a filter excludes from its selection. */
export const excludedTypes = ({ excluded }: SeriesFilter): string[] =>
  (excluded ?? '').split(',').filter((type) => type !== '')

/** A period: `from` is inclusive, `to` exclusive. */
export interface Span {
  from: Date
  to: Date
}

/** The longest span a Date can express. */
export const always: Span = { from: new Date(-8.64e15), to: new Date(8.64e15) }

export const isAlways = ({ from, to }: Span): boolean => +from === +always.from && +to === +always.to
export const takesAll = (filter: SeriesFilter): boolean => takesAllNames(filter) && filter.excluded === null
/** Whether the filter has no condition but excluded types. */
export const takesAllNames = ({ service, eventType, status }: SeriesFilter): boolean =>
  service === null && eventType === null && status === null

const isWanted = (column: AnyColumn, name: keyof SeriesFilter): SQL =>
  sql`(cast(${param(name)} as text) is null or ${column} = ${param(name)})`

/** Selects the `log_series` rows of a SeriesFilter, whose fields are parameters. */
export const seriesIsWanted = and(
  isWanted(logSeries.service, 'service'),
  isWanted(logSeries.eventType, 'eventType'),
  isWanted(logSeries.status, 'status'),
  sql`(cast(${param('excluded')} as text) is null or ${param('excluded')} not like '%,' || ${logSeries.eventType} || ',%')`,
)

/** Joins the series of a message to it. */
export const isItsSeries = eq(logSeries.id, unindexed(logMessages.seriesId))

const wantedSeries = (db: Db) => db.select({ id: logSeries.id }).from(logSeries).where(seriesIsWanted)

/** Looking series up one by one is slower whenever the result is then sorted. */
export const isOfWantedSeries = (db: Db, seriesId: AnyColumn = logMessages.seriesId) =>
  tested(inArray(seriesId, wantedSeries(db)))

/** A Span, given as parameters, looked up in an index. */
export const inSpan = (column: AnyColumn): SQL => sql`${gte(column, param('from'))} and ${lt(column, param('to'))}`
