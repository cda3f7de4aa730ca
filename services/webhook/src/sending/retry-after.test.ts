import { expect, test } from 'bun:test'
import { retryAfterMs } from './retry-after'

const now = new Date('2026-01-31T12:00:00Z')

test.each<[string, number | null]>([
  ['7', 7000],
  ['3600', 3_600_000],
  ['3601', 3_600_000],
  ['99999999999999999999', 3_600_000],
  ['Sat, 31 Jan 2026 12:00:30 GMT', 30_000],
  ['Sat, 31 Jan 2026 11:00:00 GMT', null],
  ['Sat, 31 Jan 2099 12:00:00 GMT', 3_600_000],
  ['0', null],
  ['-5', null],
  ['soon', null],
])('Retry-After: %s', (value, expected) => {
  expect(retryAfterMs(new Headers({ 'retry-after': value }), now)).toBe(expected)
})

test('no header, no wait', () => {
  expect(retryAfterMs(new Headers(), now)).toBe(null)
})
