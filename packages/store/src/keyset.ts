import { asc, type Column, desc, gt, lt } from 'drizzle-orm'
import { param } from './statements'

export type Order = 'asc' | 'desc'

/**
 * The condition and the order of a keyset query over ids, which sort by age: `.where(and(page.beyond, …)).orderBy(page.by)`.
 * Its parameter is `after`; `firstAfter` gives the one to begin with.
 */
export const keyset = (id: Column, order: Order) =>
  order === 'asc' ? { beyond: gt(id, param('after')), by: asc(id) } : { beyond: lt(id, param('after')), by: desc(id) }

/** Sorts behind every id. */
const behindAll = '~'

/** What the first row comes after: the id that was given, or none at all. */
export const firstAfter = (order: Order, after: string | undefined): string =>
  after ?? (order === 'asc' ? '' : behindAll)
