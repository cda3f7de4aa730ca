import { expect, test } from 'bun:test'
import { attempts, retryDelayMs } from './retry'

test('pauses a second, then twice as long each time, five minutes at the most', () => {
  expect([1, 2, 3, 9, 10, attempts].map(retryDelayMs)).toEqual([1000, 2000, 4000, 256_000, 300_000, 300_000])
})
