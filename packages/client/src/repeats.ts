import type { BursarError } from './errors.js'

/** How a client waits and repeats. */
export interface Repeats {
  /** How often a request is sent at most, the first time included. */
  readonly attempts: number
  /** The longest of the first pause; each further one is twice as long, up to `longestPauseMs`. */
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** How long after its start a request is sent again. One that would have to wait longer fails at once. */
  readonly patienceMs: number
}

export const usualRepeats: Repeats = { attempts: 5, firstPauseMs: 250, longestPauseMs: 8000, patienceMs: 60_000 }

/**
 * Whether the request may be sent again. A limit refuses before anything is done. A 409 that leaves it open says that its
 * first sending is still under way. `isRepeatable`: it acts once however often it is sent, as a read, or with its key.
 */
export function mayRepeat({ status, isUncertain }: BursarError, isRepeatable: boolean): boolean {
  if (status === 429) return true
  return isRepeatable && (isUnavailable(status) || (status === 409 && isUncertain))
}

/** No answer, or one that leaves open whether the request was carried out, and may be better next time. */
export const isUnavailable = (status: number): boolean => [0, 502, 503, 504].includes(status)

/**
 * The pause after so many failed attempts, in milliseconds: a random part of a growing one, so that many clients do not
 * come back together; and what the server asks for before that.
 */
export function pauseOf(failed: number, { retryAfterMs }: BursarError, repeats: Repeats, random: () => number): number {
  const longest = Math.min(repeats.longestPauseMs, repeats.firstPauseMs * 2 ** (failed - 1))
  return (retryAfterMs ?? 0) + random() * longest
}
