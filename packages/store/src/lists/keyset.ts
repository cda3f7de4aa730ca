/** Of a list by ids, which sort by age. */
export type Order = 'asc' | 'desc'

/** The time of a list: it begins with the id `from` and ends before `to`. */
interface Time {
  from?: string | undefined
  to?: string | undefined
}

/** Sorts behind every id. */
const behindAll = '~'

/**
 * What the first row comes after: the id that was given, or what comes before the time. Both in one: of two bounds at one
 * end the database may take the farther one, and go through all that lies between.
 */
export function firstWithin(order: Order, after: string | undefined, { from = '', to = behindAll }: Time): string {
  // Right before `from`, which is part of the list.
  const start = order === 'asc' ? from.slice(0, -1) : to
  if (after === undefined) return start
  return (order === 'asc' ? start > after : start < after) ? start : after
}

/** The last that a row may be: the id of `until`, or the end of the time where that comes before. */
export function lastWithin(order: Order, until: string | undefined, { from = '', to = behindAll }: Time): string {
  // Right before `to`, which is no part of the list.
  const end = order === 'desc' ? from : to === behindAll ? to : to.slice(0, -1)
  if (until === undefined) return end
  return (order === 'asc' ? end < until : end > until) ? end : until
}
