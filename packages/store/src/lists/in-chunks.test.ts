import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type ChunkPlace, inChunks } from './in-chunks'

/** Reads from a list of ascending numbers as a keyset query would. */
const reading =
  (rows: number[]) =>
  async ({ after, limit, offset }: ChunkPlace<number>) =>
    rows.filter((row) => row > after).slice(offset, offset + limit)

const collect = async (chunks: AsyncGenerator<number[]>) => {
  const all: number[][] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

test('gives what a single slice would, in chunks of at most the size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.option(fc.integer({ min: 0, max: 70 }), { nil: undefined }),
      fc.integer({ min: 0, max: 70 }),
      async (numbers, size, limit, offset) => {
        const rows = numbers.sort((a, b) => a - b)
        const chunks = await collect(inChunks(reading(rows), { size, start: 0, keyOf: (row) => row, limit, offset }))
        expect(chunks.flat()).toEqual(rows.slice(offset, limit === undefined ? undefined : offset + limit))
        for (const chunk of chunks) expect(chunk.length).toBeWithin(1, size + 1)
      },
    ),
  )
})

test('of rows that may be large as many as fit are read at once, and all of them are', async () => {
  const rows = [1, 2, 3, 4, 5, 6, 7]
  const limits: number[] = []
  const read = (place: ChunkPlace<number>) => {
    limits.push(place.limit)
    return reading(rows)(place)
  }
  // 1 and 5 are large; 6 is deleted after it was counted.
  const fits = async ({ after, limit, offset }: ChunkPlace<number>) => {
    const found = rows.filter((row) => row > after).slice(offset, offset + limit)
    if (found.includes(5)) rows.splice(rows.indexOf(6), 1)
    const large = found.findIndex((row) => row === 1 || row === 5)
    return large < 0 ? limit : Math.max(1, large)
  }
  const chunks = await collect(inChunks(read, { size: 3, start: 0, keyOf: (row) => row, fits, limit: 6 }))
  expect(chunks).toEqual([[1], [2, 3, 4], [5], [7]])
  expect(limits).toEqual([1, 3, 1, 1])
})

test('reads no chunk before it is asked for', async () => {
  let reads = 0
  const read = reading([1, 2, 3, 4])
  const chunks = inChunks(
    (place: ChunkPlace<number>) => {
      reads += 1
      return read(place)
    },
    { size: 1, start: 0, keyOf: (row) => row },
  )
  await chunks.next()
  expect(reads).toBe(1)
  await chunks.return(undefined)
  expect(reads).toBe(1)
})
