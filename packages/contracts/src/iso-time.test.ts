import { expect, test } from 'bun:test'
import { isoTime } from './iso-time'

test('a moment reads as toISOString has it, whatever was asked for before', () => {
  const times = [0, 0, 1, -1, 1, Date.UTC(2026, 1, 3, 4, 5, 6, 7), 8.64e15, 8.64e15, 0]
  for (const ms of times) expect(isoTime(new Date(ms))).toBe(new Date(ms).toISOString())
  isoTime(new Date(0))
  expect(() => isoTime(new Date(Number.NaN))).toThrow(RangeError)
  expect(isoTime(new Date(0))).toBe('1970-01-01T00:00:00.000Z')
})
