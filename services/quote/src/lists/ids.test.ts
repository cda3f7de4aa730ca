import { expect, test } from 'bun:test'
import { idValues, sizeFor } from './ids'

const ids = (count: number) => Array.from({ length: count }, (_, i) => `id-${i}`)

test.each([
  [1, 2],
  [2, 2],
  [3, 10],
  [10, 10],
  [11, 25],
  [26, 100],
  [100, 100],
])('%d ids go to the statement of %d', (count, size) => {
  const values = Object.values(idValues(ids(count)))
  expect(sizeFor(ids(count))).toBe(size)
  expect(values).toHaveLength(size)
  expect(new Set(values).size).toBe(count)
})
