import { expect, test } from 'bun:test'
import { jsonArray } from './json-array'

/** What is handed out, how many chunks were made, and whether the making was ended. */
function chunksOf<T>(...chunks: T[][]) {
  const seen = { made: 0, ended: false }
  async function* make() {
    try {
      for (const chunk of chunks) {
        seen.made += 1
        yield chunk
      }
    } finally {
      seen.ended = true
    }
  }
  return { seen, chunks: make() }
}
const asResponse = (answer: unknown) => answer as Response

test('nothing, and what fits into one chunk, is answered as it is', async () => {
  expect(await jsonArray(chunksOf().chunks)).toEqual([])
  expect(await jsonArray(chunksOf([1, 2]).chunks)).toEqual([1, 2])
})

test('more is one JSON array', async () => {
  const answer = asResponse(await jsonArray(chunksOf([{ a: 1 }, { a: 'x' }], [{ a: 3 }], [{ a: 4 }]).chunks))
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toEqual([{ a: 1 }, { a: 'x' }, { a: 3 }, { a: 4 }])
})

test('nothing is read ahead, and a caller that goes away ends the reading', async () => {
  const { seen, chunks } = chunksOf([1], [2], [3], [4], [5])
  const reader = asResponse(await jsonArray(chunks)).body?.getReader()
  expect(seen.made).toBe(2)
  for (let i = 0; i < 3; i++) await reader?.read()
  expect(seen).toEqual({ made: 3, ended: false })
  await reader?.cancel()
  expect(seen).toEqual({ made: 3, ended: true })
})

test('a reading that fails breaks the answer off', async () => {
  async function* failing() {
    yield [1]
    yield [2]
    throw new Error('the disk is gone')
  }
  const answer = asResponse(await jsonArray(failing()))
  await expect(answer.text()).rejects.toThrow('the disk is gone')
})
