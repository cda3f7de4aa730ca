import type { LogMessage } from './log-query'

/** The most messages on the page; the export has all. */
export const mostRows = 10_000

/** Both lists merged without duplicates, newest first; beyond `most` the oldest are dropped. */
export function mergeRows(rows: readonly LogMessage[], more: readonly LogMessage[], most = mostRows): LogMessage[] {
  if (more.length === 0) return [...rows]
  const known = new Set(rows.map(({ id }) => id))
  const fresh = more.filter(({ id }) => !known.has(id) && known.add(id))
  return [...fresh, ...rows].sort(newestFirst).slice(0, most)
}

/** Messages of the same moment are ordered by their ids. */
function newestFirst(a: LogMessage, b: LogMessage): number {
  if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? 1 : -1
  if (a.id === b.id) return 0
  return a.id < b.id ? 1 : -1
}
