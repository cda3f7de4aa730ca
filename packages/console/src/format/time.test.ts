import { describe, expect, test } from 'bun:test'
import { dayStart, formatDay, formatDuration, formatShort, formatTime, zoneLabel } from './time'

describe('times', () => {
  test('are written to the second, with milliseconds where they are asked for', () => {
    expect(formatTime('2026-11-18T19:26:21.963Z', 'utc')).toBe('2026-11-18 19:26:21')
    expect(formatTime('2026-11-18T19:26:21.063Z', 'utc', true)).toBe('2026-11-18 19:26:21.063')
    expect(formatTime('2026-11-18T00:05:00+02:00', 'utc')).toBe('2026-11-17 22:05:00')
    expect(formatTime('soon', 'utc')).toBe('soon')
  })

  test('in lists they are short: the hour of today, else the day, with another year', () => {
    const now = Date.parse('2026-11-18T20:00:00Z')
    const short = (iso: string) => formatShort(iso, 'utc', now)
    expect(short('2026-11-18T00:05:09Z')).toBe('00:05')
    expect(short('2026-11-17T23:59:59Z')).toBe('17 Nov')
    expect(short('2025-11-18T19:26:21Z')).toBe('18 Nov 2025')
    expect(short('soon')).toBe('soon')
  })

  test('midnight is 00, not 24', () => {
    expect(formatTime('2026-11-18T00:00:00Z', 'utc')).toBe('2026-11-18 00:00:00')
  })

  test('a zone is named by its distance from UTC, of that day', () => {
    const at = (offset: number) => ({ getTimezoneOffset: () => offset }) as Date
    expect([zoneLabel('utc', at(-120)), zoneLabel('local', at(-120)), zoneLabel('local', at(0))]).toEqual([
      'UTC',
      'UTC+2',
      'UTC+0',
    ])
    expect([zoneLabel('local', at(210)), zoneLabel('local', at(-345))]).toEqual(['UTC−3:30', 'UTC+5:45'])
  })

  test.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1000, '1 s'],
    [59_999, '59 s'],
    [61_000, '1 min'],
    [3_600_000, '1 h'],
    [3_660_000, '1 h 1 min'],
    [216_000_000, '2 d 12 h'],
    [86_400_000, '1 d'],
    [-5, '0 ms'],
  ])('%d ms are %s', (ms, words) => {
    expect(formatDuration(ms)).toBe(words)
  })

  test('in a list one unit is enough', () => {
    expect([216_000_000, 4_000_000, 61_000].map((ms) => formatDuration(ms, true))).toEqual(['2 d', '1 h', '1 min'])
  })

  test('a day of the calendar', () => {
    expect([formatDay('2026-10-23'), formatDay('no day')]).toEqual(['23 Oct', 'no day'])
  })

  test('a day of a filter begins at midnight of the zone', () => {
    expect(dayStart('2026-10-23', 'utc')).toBe('2026-10-23T00:00:00.000Z')
    expect(dayStart('2026-10-31', 'utc', 1)).toBe('2026-11-01T00:00:00.000Z')
    expect(dayStart('2026-10-23', 'local')).toBe(new Date(2026, 9, 23).toISOString())
    const now = Date.parse('2026-11-01T00:30:00Z')
    const startOf = (period: string) => dayStart(period, 'utc', 0, now)
    expect(['today', '7d', '30d'].map(startOf)).toEqual([
      '2026-11-01T00:00:00.000Z',
      '2026-10-26T00:00:00.000Z',
      '2026-10-03T00:00:00.000Z',
    ])
    expect(startOf('constructor')).toBeUndefined()
  })

  test('what is no day of the calendar begins nowhere', () => {
    for (const day of ['', '2026-13-01', '2026-02-31', '2026-04-31', '2026-02-29', '2026-00-10', 'yesterday']) {
      expect([day, dayStart(day, 'utc'), dayStart(day, 'local')]).toEqual([day, undefined, undefined])
    }
    expect(dayStart('2028-02-29', 'utc')).toBe('2028-02-29T00:00:00.000Z')
  })
})
