import { expect, test } from 'bun:test'
import { readInBatches } from './read-in-batches'

test('every key is asked for once, a hundred at a time, and all rows come', async () => {
  const keys = Array.from({ length: 250 }, (_, i) => String(i))
  const sizes: number[] = []
  const rows = await readInBatches(keys, async (batch) => {
    sizes.push(batch.length)
    return batch.map(Number)
  })
  expect(rows).toEqual(keys.map(Number))
  expect(sizes).toEqual([100, 100, 50])
  expect(await readInBatches([], async () => [1])).toEqual([])
})
