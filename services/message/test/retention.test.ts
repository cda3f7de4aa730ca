import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { retireOld } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { createMessage } from '../src/messages/messages'
import { retainedMessages } from '../src/messages/retention'
import { testMessages } from './harness'

const dayMs = 24 * 60 * 60 * 1000

test('messages older than MESSAGE_RETENTION_DAYS go to the archive as they are', async () => {
  const [service, folder] = [await testMessages(), tempDir()]
  const { store } = service
  const participantId = '018f2f3e-0000-7000-8000-0000000000aa'
  const { body } = await service.post('/messages', { type: 'TEXT', data: { text: 'Two\nlines' }, participantId })
  const madeMs = Number.parseInt(body.id.replace('-', '').slice(0, 12), 16)
  const retire = (now: number) =>
    retireOld([{ retained: retainedMessages, days: 10 }], { store, folder, now: () => new Date(now) })
  await retire(madeMs + 10 * dayMs)
  expect((await service.get(`/messages/${body.id}`)).status).toBe(200)
  await retire(madeMs + 10 * dayMs + 1)
  expect((await service.get(`/messages/${body.id}`)).status).toBe(404)
  expect(JSON.stringify((await service.get('/messages')).body)).not.toContain(body.id)
  const [file = ''] = [...new Bun.Glob('messages/*/*.jsonl.gz').scanSync({ cwd: folder })]
  const text = Buffer.from(Bun.gunzipSync(await Bun.file(join(folder, file)).bytes())).toString()
  expect(JSON.parse(text)).toEqual(body)
  await service.close()
})

test('a message is as old as its time says, by its id as well', async () => {
  const service = await testMessages()
  const { store } = service
  const at = new Date('2024-05-05T12:00:00.000Z')
  const message = { type: 'TEXT' as const, data: { text: 'x' }, participantId: 'p' }
  const { id } = await store.commit((tx) => createMessage(tx, message, null, at))
  const retire = (now: number) =>
    retireOld([{ retained: retainedMessages, days: 10 }], { store, folder: null, now: () => new Date(now) })
  await retire(at.getTime() + 10 * dayMs)
  expect((await service.get(`/messages/${id}`)).status).toBe(200)
  await retire(at.getTime() + 10 * dayMs + 1)
  expect((await service.get(`/messages/${id}`)).status).toBe(404)
  await service.close()
})

test('long messages are read and archived a few at a time', async () => {
  const [service, folder] = [await testMessages(), tempDir()]
  const { store } = service
  const at = new Date('2024-05-05T12:00:00.000Z')
  const text = 'x'.repeat(1_000_000)
  const made: string[] = []
  for (let n = 0; n < 9; n++) {
    const message = { type: 'JSON' as const, data: { text }, participantId: 'p' }
    made.push((await store.commit((tx) => createMessage(tx, message, null, new Date(at.getTime() + n)))).id)
  }
  const now = () => new Date(at.getTime() + 11 * dayMs)
  expect(await retireOld([{ retained: retainedMessages, days: 10 }], { store, folder, now })).toEqual(new Set())
  const files = [...new Bun.Glob('messages/*/*.jsonl.gz').scanSync({ cwd: folder })].sort()
  const archived = await Promise.all(
    files.map(async (file) => {
      const lines = Buffer.from(Bun.gunzipSync(await Bun.file(join(folder, file)).bytes()))
        .toString()
        .trimEnd()
      return lines.split('\n').map((line) => JSON.parse(line).id)
    }),
  )
  expect(archived).toEqual([made.slice(0, 4), made.slice(4, 8), made.slice(8)])
  expect((await service.get('/messages')).body).toEqual([])
  await service.close()
})
