import { expect, test } from 'bun:test'
import { createSchedule } from '../targets/schedule'
import { standingAfter } from './settle'

const now = new Date('2026-03-01T12:00:00.000Z')
const schedule = createSchedule([1000])
const fresh = { failures: 0, pausedUntil: null, pace: 'quick' } as const

const pauseAfter = (httpStatus: number | null, retryAfterMs: number | null) => {
  const outcome = { error: 'It failed', httpStatus, retryAfterMs, durationMs: 1 }
  const { pausedUntil } = standingAfter(schedule, fresh, outcome as Parameters<typeof standingAfter>[2], now)
  return pausedUntil && pausedUntil.getTime() - now.getTime()
}

test.each([
  [429, 60_000, 60_000],
  [503, 60_000, 60_000],
  [503, null, null],
  // Of this delivery alone.
  [500, 60_000, null],
  [404, 60_000, null],
  [null, null, null],
])('a receiver that answers %p with Retry-After %p is paused for %p ms', (status, retryAfterMs, pauseMs) => {
  expect(pauseAfter(status, retryAfterMs)).toBe(pauseMs)
})
