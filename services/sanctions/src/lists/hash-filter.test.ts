import { expect, test } from 'bun:test'
import { createHashFilter, hashOf } from './hash-filter'

test('has what was added, to the last one, and not much else', () => {
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

test('hashes that want the same slot stand beside each other, over the end of the table too', () => {
  const filter = createHashFilter(4)
  for (const hash of [7, 15, 23]) filter.add(hash)
  expect([7, 15, 23, 31, 8].map(filter.has)).toEqual([true, true, true, false, false])
})
