// The order that `scripts/test` begins test files in, and how many at once.
import { describe, expect, test } from 'bun:test'
import { expectedMs, filesAtOnce, timesToOrderBy } from '../../scripts/run-tests/order'

const money = 'test/faults/money.test.ts'
const files = [money, 'test/e2e/new.test.ts', 'services/x/test/a.test.ts', 'services/x/test/b.test.ts']

describe('timesToOrderBy', () => {
  test('has each file near the time that it takes: a long one begins before a short one, whatever the seed', () => {
    expect(expectedMs(money)).toBeGreaterThan(30_000)
    for (let seed = 0; seed < 50; seed++) {
      for (const [file, ms] of Object.entries(timesToOrderBy(files, seed))) {
        expect(ms).toBeGreaterThanOrEqual(0.5 * expectedMs(file))
        expect(ms).toBeLessThanOrEqual(1.5 * expectedMs(file))
      }
    }
  })

  test('has files that take as long in another order with another seed, and in the same with the same', () => {
    const isBefore = (seed: number) => {
      const { 'services/x/test/a.test.ts': a = 0, 'services/x/test/b.test.ts': b = 0 } = timesToOrderBy(files, seed)
      return a > b
    }
    expect(new Set(Array.from({ length: 20 }, (_, seed) => isBefore(seed))).size).toBe(2)
    expect(timesToOrderBy(files.toReversed(), 7)).toEqual(timesToOrderBy(files, 7))
    expect(timesToOrderBy(files, 2 ** 32 - 1)).not.toEqual(timesToOrderBy(files, 7))
  })
})

const gigabytes = 2 ** 30

test.each([
  [2, 16, 4],
  [4, 64, 8],
  [16, 64, 12],
  [2, 5, 3],
  [2, 1, 2],
  [1, 16, 2],
])('filesAtOnce: %d cores and %d GB of free memory run %d', (cores, free, expected) => {
  expect(filesAtOnce(cores, free * gigabytes)).toBe(expected)
})
