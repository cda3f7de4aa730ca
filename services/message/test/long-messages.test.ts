import { expect, test } from 'bun:test'
import { deleteBy } from '@bursar/store'
import { messageList } from '../src/messages/list-messages'
import { createMessage } from '../src/messages/messages'
import { messages } from '../src/messages/messages.table'
import { testMessages } from './harness'

const at = new Date('2024-05-05T12:00:00.000Z')
type Service = Awaited<ReturnType<typeof testMessages>>

/** Stores messages of about so many bytes; their ids. */
async function store({ store }: Service, sizes: readonly number[], word = 'x'): Promise<string[]> {
  const ids: string[] = []
  for (const size of sizes) {
    const data = { text: `${word} `.repeat(size / (word.length + 1)) }
    const message = { type: 'JSON' as const, data, participantId: 'p' }
    ids.push((await store.commit((tx) => createMessage(tx, message, null, at))).id)
  }
  return ids
}

// A hundred of a megabyte each were read and written as JSON at once: nobody else was answered for seconds.
test('a list of long messages is read a mebibyte at a time, in both directions, from any place', async () => {
  const service = await testMessages()
  const ids = await store(service, [400_000, 400_000, 400_000, 1_000_000, 1_000_000, 10, 10, 10])
  const read = async (place: Parameters<typeof messageList.chunks>[2]) => {
    const chunks: number[][] = []
    for await (const rows of messageList.chunks(service.store.read, {}, place, 100))
      chunks.push(rows.map(({ id }) => ids.indexOf(id)))
    return chunks
  }
  expect(await read({})).toEqual([[0, 1], [2], [3], [4, 5, 6, 7]])
  expect(await read({ order: 'desc' })).toEqual([[7, 6, 5, 4], [3], [2, 1], [0]])
  expect(await read({ offset: 1, limit: 4 })).toEqual([[1, 2], [3], [4]])
  expect(await read({ after: ids[2] ?? '', limit: 3 })).toEqual([[3], [4, 5]])
  const answer = (await service.get('/messages')).body as { id: string }[]
  expect(answer.map(({ id }) => ids.indexOf(id))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  await service.close()
})

test('a message that is deleted while the list is read cuts nothing off', async () => {
  const service = await testMessages()
  const ids = await store(service, [1_000_000, 1_000_000, 1_000_000])
  const chunks = messageList.chunks(service.store.read, {}, { limit: 3 }, 100)
  const found = [...((await chunks.next()).value ?? [])]
  await service.store.commit((tx) => deleteBy(messages, 'id')(tx).execute({ id: ids[1] }))
  for await (const rows of chunks) found.push(...rows)
  expect(found.map(({ id }) => id)).toEqual([ids[0] ?? '', ids[2] ?? ''])
  await service.close()
})

// Each was compared with the text, a gigabyte for a thousand of them, in one statement.
test('a text is sought in the newest 16 MiB of messages', async () => {
  const service = await testMessages()
  const [old, ...others] = [
    ...(await store(service, [1_000_000], 'needle')),
    ...(await store(service, Array(16).fill(1_000_000))),
  ]
  const [young] = await store(service, [20], 'needle')
  const seek = async (query = '') => {
    const { body, headers } = await service.get(`/messages?q=needle&count=true${query}`)
    return [(body as { id: string }[]).map(({ id }) => id), headers.get('x-total-count')]
  }
  expect(await seek()).toEqual([[young ?? ''], '1'])
  await service.store.commit((tx) => deleteBy(messages, 'id')(tx).execute({ id: others[0] }))
  expect(await seek('&order=desc')).toEqual([[young ?? '', old ?? ''], '2'])
  await service.close()
})
