/** How long failed work waits for its next attempt. */
export interface RetryTuning {
  readonly firstMs: number
  readonly longestMs: number
}

/** From a second, doubled each time, to five minutes. */
export const retryTuning: RetryTuning = { firstMs: 1000, longestMs: 5 * 60 * 1000 }

/**
 * Milliseconds until the next attempt, after so many. Up to a quarter is taken off by chance, so that what failed
 * together does not come back together.
 */
export function retryDelayMs(attempts: number, { firstMs, longestMs }: RetryTuning, random = Math.random): number {
  // 2^30 is beyond any longest delay, and the power stays finite.
  const delayMs = Math.min(longestMs, firstMs * 2 ** Math.min(30, Math.max(0, attempts - 1)))
  return Math.max(1, Math.round(delayMs * (1 - random() / 4)))
}
