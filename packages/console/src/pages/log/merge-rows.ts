import type { LogMessage } from './log-query'

/** How many messages a page holds; the export has all. */
export const mostRows = 10_000

/** Both together, the newest first, each once; no more than `most`, of which the oldest fall out. */
export function mergeRows(rows: readonly LogMessage[], more: readonly LogMessage[], most = mostRows): LogMessage[] {
  if (more.length === 0) return [...rows]
  const known = new Set(rows.map(({ id }) => id))
  const fresh = more.filter(({ id }) => !known.has(id) && known.add(id))
  return [...fresh, ...rows].sort(newestFirst).slice(0, most)
}

/** Of one moment, the later id is the later message. */
function newestFirst(a: LogMessage, b: LogMessage): number {
  if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? 1 : -1
  if (a.id === b.id) return 0
  return a.id < b.id ? 1 : -1
}
