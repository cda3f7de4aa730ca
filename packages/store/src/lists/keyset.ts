import { asc, type Column, desc, gt, lt } from 'drizzle-orm'
import { param } from '../statements/statements'

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

/**
 * The same for a list that begins with the id `from` and ends before `to`: it begins there. Of two bounds at one end the
 * database may take the farther one, and go through all that lies between: the list's own condition needs a `+` then.
 */
export const firstWithin = (
  order: Order,
  after: string | undefined,
  { from = '', to = behindAll }: { from?: string | undefined; to?: string | undefined },
): string => {
  const first = firstAfter(order, after)
  // Right before `from`, which is part of the list.
  const start = order === 'asc' ? from.slice(0, -1) : to
  return (order === 'asc' ? start > first : start < first) ? start : first
}

/** The same for the end of a part of it: `until`, or the end of the list that comes before. */
export const lastWithin = (
  order: Order,
  until: string,
  { from = '', to = behindAll }: { from?: string | undefined; to?: string | undefined },
): string => {
  if (order === 'asc') return to < until ? to : until
  return from > until ? from : until
}
