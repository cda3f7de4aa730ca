import { ConfigError } from '@bursar/http'

/** Decisions, Webhook deliveries. */
export const defaultSchedule = '5s,5m,30m,2h,5h,10h,14h,20h,24h'

const unitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const
const delayUnits = new Map<string | undefined, number>(Object.entries(unitsMs))
const dayMs = 24 * unitsMs.h
const mostRetries = 50
const longestDelayMs = 7 * dayMs
/** The relative jitter of each delay, so that deliveries that failed together are not retried together. */
const jitter = 0.2
/** The number of consecutive failures after which a target is paused. */
const breakerAfter = 5
const longestPauseMs = 15 * unitsMs.m
/** The longest wait that a receiver may ask for. */
const longestRetryAfterMs = unitsMs.h

/** The delays before the retries, from text such as `5s,5m,2h` (ms, s, m, h), in milliseconds. Throws ConfigError. */
export function parseSchedule(text: string): number[] {
  const delays = text.split(',').map((entry) => {
    const [, amount, unit] = /^\s*(\d{1,9})(ms|s|m|h)\s*$/.exec(entry) ?? []
    const delayMs = Number(amount) * (delayUnits.get(unit) ?? Number.NaN)
    if (delayMs > 0 && delayMs <= longestDelayMs) return delayMs
    throw new ConfigError(
      `WEBHOOK_RETRY_SCHEDULE: "${entry.trim()}" is not a delay such as 500ms, 5s, 5m or 2h, up to 168h`,
    )
  })
  if (delays.length > mostRetries)
    throw new ConfigError(`WEBHOOK_RETRY_SCHEDULE may have at most ${mostRetries} delays`)
  return delays
}

/** When deliveries are retried, and how long a failing target is paused. */
export interface Schedule {
  readonly maxRetries: number
  /** The delay before a delivery's retry, the first being 1. */
  delayMs(retry: number): number
  /** The pause of a target after this many consecutive failures; 0 for none. Grows up to 15 minutes. */
  pauseMs(failures: number): number
  /** The longest pause set here. A time further away was set by a wrong clock that has been corrected. */
  readonly longestMs: number
  /** How long a delivery waits for an unresponsive target before it fails without its own attempts. */
  readonly giveUpMs: number
}

export function createSchedule(delaysMs: readonly number[], random: () => number = Math.random): Schedule {
  const [firstMs = 0] = delaysMs
  const longest = Math.max(...delaysMs)
  const totalMs = delaysMs.reduce((sum, delay) => sum + delay, 0)
  const mostPauseMs = Math.min(longestPauseMs, longest)
  return {
    maxRetries: delaysMs.length,
    delayMs: (retry) => Math.round((delaysMs[retry - 1] ?? longest) * (1 - jitter + 2 * jitter * random())),
    pauseMs: (failures) =>
      failures < breakerAfter ? 0 : Math.min(mostPauseMs, firstMs * 2 ** Math.min(failures - breakerAfter, 30)),
    longestMs: Math.max(longest * (1 + jitter), longestRetryAfterMs),
    giveUpMs: Math.max(dayMs, 2 * totalMs),
  }
}

/** The wait of an answer's `Retry-After` (RFC 9110: seconds or a date), at most an hour; null when there is none. */
export function retryAfterMs(headers: Headers, now: Date): number | null {
  const text = headers.get('retry-after')?.trim()
  if (!text) return null
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return waitMs > 0 ? Math.min(waitMs, longestRetryAfterMs) : null
}
