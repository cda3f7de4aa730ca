/** How often a process may be started again. */
export const mostRestarts = 5
const withinMs = 60_000
const firstPauseMs = 250

/** Decides when a process that ended by itself is started again. */
export interface Restarts {
  /** The pause before the next start, doubling with each within a minute; null when it has had its five. */
  next(nowMs: number): { number: number; pauseMs: number } | null
}

/** Counts the restarts of one process. */
export function countRestarts(): Restarts {
  let recent: number[] = []
  return {
    next(nowMs) {
      recent = recent.filter((atMs) => nowMs - atMs < withinMs)
      if (recent.length >= mostRestarts) return null
      recent.push(nowMs)
      return { number: recent.length, pauseMs: firstPauseMs * 2 ** (recent.length - 1) }
    },
  }
}
