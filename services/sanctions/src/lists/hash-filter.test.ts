import { expect, test } from 'bun:test'
import { createHashFilter, hashOf } from './hash-filter'

test('has every added hash, and few others', () => {
  const filter = createHashFilter(10_000)
  for (let i = 0; i < 10_000; i++) filter.add(hashOf(`a${i}`))
  let found = 0
  let wrong = 0
  for (let i = 0; i < 10_000; i++) {
    if (filter.has(hashOf(`a${i}`))) found += 1
    if (filter.has(hashOf(`b${i}`))) wrong += 1
  }
  expect(found).toBe(10_000)
  expect(wrong).toBeLessThan(5)
})

test('hashes with the same slot are stored side by side, also across the end of the table', () => {
  const filter = createHashFilter(4)
  for (const hash of [7, 15, 23]) filter.add(hash)
  expect([7, 15, 23, 31, 8].map(filter.has)).toEqual([true, true, true, false, false])
})
