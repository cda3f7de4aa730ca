import { describe, expect, test } from 'bun:test'
import { retryDelayMs, retryTuning } from './retry-delay'

describe('the wait after an attempt', () => {
  test('doubles from a second to five minutes', () => {
    const waits = [0, 1, 2, 3, 9, 10, 100, 10_000].map((attempts) => retryDelayMs(attempts, retryTuning, () => 0))
    expect(waits).toEqual([1000, 1000, 2000, 4000, 256_000, 300_000, 300_000, 300_000])
  })

  test('is shortened by chance, by a quarter at the most', () => {
    expect(retryDelayMs(3, retryTuning, () => 1)).toBe(3000)
    expect(retryDelayMs(3, retryTuning, () => 0.5)).toBe(3500)
    expect(retryDelayMs(1, { firstMs: 0, longestMs: 0 })).toBe(1)
  })
})
