import { expect, test } from 'bun:test'
import { isLive, type SessionRow } from './console-sessions'

const now = new Date('2026-03-01T12:00:00.000Z')
const minuteMs = 60_000
const hourMs = 60 * minuteMs

const isLiveOf = (createdAgoMs: number, usedAgoMs: number): boolean => {
  const [createdAt, usedAt] = [createdAgoMs, usedAgoMs].map((ms) => new Date(now.getTime() - ms))
  return isLive({ createdAt, usedAt } as SessionRow, now)
}

test.each([
  ['new', 0, 0, true],
  ['used until half an hour ago', hourMs, 30 * minuteMs - 1, true],
  ['unused for half an hour', hourMs, 30 * minuteMs, false],
  ['of almost twelve hours', 12 * hourMs - 1, 0, true],
  ['of twelve hours, however busy', 12 * hourMs, 0, false],
  ['of a clock that was ahead by less than a minute', 1 - minuteMs, 1 - minuteMs, true],
  ['begun by a clock that was ahead', -minuteMs, 0, false],
  ['used by a clock that was ahead', 0, -minuteMs, false],
])('a session that is %s', (_, createdAgoMs, usedAgoMs, outcome) => {
  expect(isLiveOf(createdAgoMs, usedAgoMs)).toBe(outcome)
})
