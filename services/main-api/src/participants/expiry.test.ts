import { describe, expect, test } from 'bun:test'
import { AppError } from '@bursar/http'
import fc from 'fast-check'
import { expiryOf } from './expiry'

const now = new Date('2026-03-01T12:00:00.000Z')
const dayMs = 86_400_000

describe('an expiration date', () => {
  test.each([
    [1, '2026-03-02T12:00:00.000Z'],
    [365, '2027-03-01T12:00:00.000Z'],
    [3650, '2036-02-27T12:00:00.000Z'],
    [1_900_000_000, '2030-03-17T17:46:40.000Z'],
    [99_999_999_999, '5138-11-16T09:46:39.000Z'],
    [1_900_000_000_000, '2030-03-17T17:46:40.000Z'],
    [now.getTime() + 1, '2026-03-01T12:00:00.001Z'],
  ])('%d is %s', (value, expected) => expect(expiryOf(value, now).toISOString()).toBe(expected))

  test.each([
    0,
    -1,
    -1e12,
    3651,
    999_999_999,
    1_000_000_000,
    now.getTime(),
    now.getTime() / 1000,
    100_000_000_000,
    1e15,
    Number.MAX_SAFE_INTEGER,
    Number.POSITIVE_INFINITY,
    Number.NaN,
  ])('%d is not valid', (value) => expect(() => expiryOf(value, now)).toThrow(AppError))

  test('is the same in seconds, in milliseconds, and as a number of days from now', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3650 }), (days) => {
        const ms = now.getTime() + days * dayMs
        expect([expiryOf(days, now), expiryOf(ms / 1000, now), expiryOf(ms, now)].map(Number)).toEqual([ms, ms, ms])
      }),
    )
  })
})
