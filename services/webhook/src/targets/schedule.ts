import { ConfigError } from '@bursar/http'

/** Decisions, Webhook deliveries. */
export const defaultSchedule = '5s,5m,30m,2h,5h,10h,14h,20h,24h'

const unitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const
const delayUnits = new Map<string | undefined, number>(Object.entries(unitsMs))
const dayMs = 24 * unitsMs.h
const mostRetries = 50
const longestDelayMs = 7 * dayMs
/** Each delay is up to so much shorter or longer, so that deliveries that failed together do not return together. */
const jitter = 0.2
/** After so many failures in a row a target is paused. */
const breakerAfter = 5
const longestPauseMs = 15 * unitsMs.m
/** The longest wait that a receiver may ask for. */
const longestRetryAfterMs = unitsMs.h

/**
 * The delays before the retries, from text such as `5s,5m,2h` (ms, s, m, h), in milliseconds. Throws ConfigError.
 */
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

/** When deliveries are tried again, and how long a target that fails is left alone. */
export interface Schedule {
  readonly maxRetries: number
  /** The delay before a delivery's retry, the first being 1. */
  delayMs(retry: number): number
  /** How long a target is paused after so many failures in a row; 0 for no pause. Grows up to 15 minutes. */
  pauseMs(failures: number): number
  /** No moment that is set here lies further away. One that does was set by a clock that has been put right since. */
  readonly longestMs: number
  /** How long a delivery waits for a target that does not answer at all until it fails without attempts of its own. */
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
