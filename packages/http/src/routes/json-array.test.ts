import { afterAll, expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { until } from '@bursar/testing'
import { countedArray, jsonArray } from './json-array'

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

/** Over a real connection: Bun reads streams that it sends otherwise than those that a program reads. */
let respond: () => Promise<Response>
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => respond(), error: () => new Response(null) })
afterAll(() => server.stop(true))
const list = async <T>(chunks: AsyncGenerator<T[]>): Promise<Response> => {
  respond = async () => (await jsonArray(chunks, silentLog)) as unknown as Response
  return await fetch(server.url)
}

test('nothing, and what fits into one chunk, is answered as it is', async () => {
  expect(await jsonArray(chunksOf().chunks, silentLog)).toEqual([])
  expect(await jsonArray(chunksOf([1, 2]).chunks, silentLog)).toEqual([1, 2])
})

test('more is one JSON array', async () => {
  const answer = await list(chunksOf([{ a: 1 }, { a: 'x' }], [{ a: 3 }], [{ a: 4 }]).chunks)
  expect(answer.headers.get('content-type')).toStartWith('application/json')
  expect(await answer.json()).toEqual([{ a: 1 }, { a: 'x' }, { a: 3 }, { a: 4 }])
})

test('chunks without items leave no trace', async () => {
  expect(await (await list(chunksOf([], [1], [], [2, 3], []).chunks)).json()).toEqual([1, 2, 3])
  expect(await (await list(chunksOf([1], [], [2]).chunks)).json()).toEqual([1, 2])
})

test('a client that goes away ends the reading, and what it did not take was not read', async () => {
  const big = 'x'.repeat(100_000)
  const { seen, chunks } = chunksOf(...Array.from({ length: 2000 }, () => [big]))
  const reader = (await list(chunks)).body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await until(() => seen.ended)
  expect(seen.made).toBeLessThan(500)
})

test('a reading that fails breaks the answer off', async () => {
  async function* failing() {
    yield [1]
    yield [2]
    throw new Error('the disk is gone')
  }
  const answer = await list(failing())
  await expect(answer.json()).rejects.toThrow()
})

test('with its count, a list is an object: answered as it is, or as a stream', async () => {
  expect(await countedArray('rows', chunksOf().chunks, silentLog)).toEqual({ count: 0, rows: [] })
  expect(await countedArray('rows', chunksOf([1, 2]).chunks, silentLog)).toEqual({ count: 2, rows: [1, 2] })
  respond = async () =>
    (await countedArray('rows', chunksOf([1, 2], [3], [4]).chunks, silentLog)) as unknown as Response
  const answer = await fetch(server.url)
  expect(answer.headers.get('content-type')).toStartWith('application/json')
  expect(await answer.json()).toEqual({ count: 4, rows: [1, 2, 3, 4] })
})
