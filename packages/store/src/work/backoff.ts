/** The pauses after failed attempts. */
export interface Backoff {
  /** The longest pause. */
  readonly longestMs: number
  /** The pause after this number of failed attempts in a row, 1 or more. */
  pauseMs(attempts: number): number
}

/**
 * The base doubled with each attempt, up to the longest. With `random`, such as Math.random, anything between the base and
 * that: for work that fails together, and must not be retried together.
 */
export const doubling = (baseMs: number, longestMs: number, random = () => 1): Backoff => ({
  longestMs,
  pauseMs(attempts) {
    const ceiling = Math.min(longestMs, baseMs * 2 ** Math.min(attempts - 1, 50))
    return Math.round(Math.min(baseMs, ceiling) + random() * Math.max(0, ceiling - baseMs))
  },
})

/** These pauses in order, then the last one repeatedly. */
export const stepwise = (pausesMs: readonly [number, ...number[]]): Backoff => ({
  longestMs: Math.max(...pausesMs),
  pauseMs: (attempts) => pausesMs[Math.min(attempts, pausesMs.length) - 1] as number,
})
