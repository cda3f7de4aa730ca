/** The pauses after attempts that failed, in milliseconds. */
export interface Backoff {
  /** The shortest pause, and what the longest doubles from. */
  readonly baseMs: number
  /** No pause is longer. */
  readonly longestMs: number
}

/**
 * The pause after so many failed attempts in a row (1 or more): at random between the base and the base doubled with each
 * attempt, for work that failed together must not come again together.
 */
export function pauseAfter(attempts: number, { baseMs, longestMs }: Backoff, random = Math.random): number {
  const ceiling = Math.min(longestMs, baseMs * 2 ** Math.min(attempts - 1, 50))
  return Math.round(Math.min(baseMs, ceiling) + random() * Math.max(0, ceiling - baseMs))
}
