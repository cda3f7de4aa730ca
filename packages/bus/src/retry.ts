const firstDelayMs = 1000
const longestDelayMs = 5 * 60 * 1000

/** The attempts before a job becomes a dead letter: about an hour and a half, with the delays below. */
export const attempts = 25

/** The pause after the n-th failed attempt (from 1), in milliseconds: 1 s, doubling up to 5 min. */
export const retryDelayMs = (attempt: number): number => Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs)
