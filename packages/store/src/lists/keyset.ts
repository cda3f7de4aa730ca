/** The order of a list by ids, which sort by age. */
export type Order = 'asc' | 'desc'

/** The time range of a list: from the id `from` on, up to but without `to`. */
interface Time {
  from?: string | undefined
  to?: string | undefined
}

/** Sorts after every id. */
const behindAll = '~'

/**
 * The lower bound of the first row: the given id, or the beginning of the time range. Combined into one bound, because
 * with two the database may use the farther one, and scan everything in between.
 */
export function firstWithin(order: Order, after: string | undefined, { from = '', to = behindAll }: Time): string {
  // Just before `from`, which is included.
  const start = order === 'asc' ? from.slice(0, -1) : to
  if (after === undefined) return start
  return (order === 'asc' ? start > after : start < after) ? start : after
}

/** The upper bound of the last row: the id `until`, or the end of the time range if that is earlier. */
export function lastWithin(order: Order, until: string | undefined, { from = '', to = behindAll }: Time): string {
  // Just before `to`, which is excluded.
  const end = order === 'desc' ? from : to === behindAll ? to : to.slice(0, -1)
  if (until === undefined) return end
  return (order === 'asc' ? end < until : end > until) ? end : until
}
