import { describe, expect, test } from 'bun:test'
import { createSchedule, defaultSchedule, parseSchedule, retryAfterMs } from './schedule'

describe('the retry schedule', () => {
  test('is 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h by default', () => {
    expect(parseSchedule(defaultSchedule).map((ms) => ms / 1000)).toEqual([
      5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ])
  })

  test('takes milliseconds, seconds, minutes and hours', () => {
    expect(parseSchedule(' 20ms, 3s,4m ,168h')).toEqual([20, 3000, 240_000, 604_800_000])
  })

  test.each(['5', '0s', '-5s', '5 s', '1d', '169h', '5s,,5m', '5s;5m'])('"%s" is refused, and named', (text) => {
    expect(() => parseSchedule(text)).toThrow('WEBHOOK_RETRY_SCHEDULE')
  })

  test('has at most 50 delays', () => {
    expect(parseSchedule(Array(50).fill('1s').join())).toHaveLength(50)
    expect(() => parseSchedule(Array(51).fill('1s').join())).toThrow('at most 50')
  })

  test('each delay is up to a fifth shorter or longer', () => {
    const delays = parseSchedule(defaultSchedule)
    const with_ = (random: number) => createSchedule(delays, () => random)
    expect([1, 2, 9].map((retry) => with_(0).delayMs(retry))).toEqual([4000, 240_000, 69_120_000])
    expect([1, 2, 9].map((retry) => with_(0.5).delayMs(retry))).toEqual([5000, 300_000, 86_400_000])
    expect([1, 2, 9].map((retry) => with_(1).delayMs(retry))).toEqual([6000, 360_000, 103_680_000])
    expect(with_(1).longestMs).toBe(103_680_000)
  })
})

describe('the pause of a target that fails', () => {
  test('begins with the fifth failure in a row, doubles, and ends at 15 minutes', () => {
    const { pauseMs } = createSchedule(parseSchedule(defaultSchedule))
    expect([0, 1, 4, 5, 6, 7, 12, 13, 100].map(pauseMs)).toEqual([
      0, 0, 0, 5000, 10_000, 20_000, 640_000, 900_000, 900_000,
    ])
  })

  test('is never longer than the longest delay', () => {
    const { pauseMs } = createSchedule([10, 40])
    expect([5, 6, 7, 8].map(pauseMs)).toEqual([10, 20, 40, 40])
  })
})

describe('Retry-After', () => {
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
  ])('%s', (value, expected) => {
    expect(retryAfterMs(new Headers({ 'retry-after': value }), now)).toBe(expected)
  })

  test('without the header there is no wait', () => {
    expect(retryAfterMs(new Headers(), now)).toBe(null)
  })
})
