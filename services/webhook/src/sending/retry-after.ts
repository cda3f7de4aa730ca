import { longestRetryAfterMs } from './schedule'

/**
 * The wait that an answer asks for by `Retry-After` (RFC 9110: seconds or a date), an hour at most; null when it asks for
 * none.
 */
export function retryAfterMs(headers: Headers, now: Date): number | null {
  const text = headers.get('retry-after')?.trim()
  if (!text) return null
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return waitMs > 0 ? Math.min(waitMs, longestRetryAfterMs) : null
}
