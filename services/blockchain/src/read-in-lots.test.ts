import { expect, test } from 'bun:test'
import { readInLots } from './read-in-lots'

test('every key is asked for once, a hundred at a time, and all rows come', async () => {
  const keys = Array.from({ length: 250 }, (_, i) => String(i))
  const sizes: number[] = []
  const rows = await readInLots(keys, async (lot) => {
    sizes.push(lot.length)
    return lot.map(Number)
  })
  expect(rows).toEqual(keys.map(Number))
  expect(sizes).toEqual([100, 100, 50])
  expect(await readInLots([], async () => [1])).toEqual([])
})
