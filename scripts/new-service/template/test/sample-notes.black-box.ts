import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, openService, refused, type TestTransactionManager, uuidExpected } from './harness'

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

let service: TestTransactionManager
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

describe('POST /sample-notes', () => {
  test('201 with the sample note', async () => {
    const { status, body } = await service.post('/sample-notes', { name: 'first', unknown: 1 })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(uuidV7),
      name: 'first',
      status: 'received',
      createdAt: expect.stringMatching(isoTime),
    })
  })

  test('with an idempotency key is repeated without acting twice', async () => {
    const once = { 'idempotency-key': 'key-1' }
    const first = await service.post('/sample-notes', { name: 'once' }, once)
    const again = await service.post('/sample-notes', { name: 'once' }, once)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    refused(await service.post('/sample-notes', { name: 'another' }, once), 422)
    const { body } = await service.get('/sample-notes')
    expect(body.filter(({ name }: { name: string }) => name === 'once')).toEqual([first.body])
  })

  test.each([
    ['nothing', {}, 'name should not be empty'],
    ['a name of another type', { name: 5 }, 'name must be a string'],
    ['a name that is too long', { name: 'x'.repeat(256) }, 'name must be at most 255 characters long'],
  ])('400 for %s', async (_what, body, message) => {
    expect(refused(await service.post('/sample-notes', body), 400).message).toContain(message)
  })
})

describe('GET /sample-notes', () => {
  test('200 with none, then with all, oldest first', async () => {
    const few = await openService()
    const list = async (query = '') => (await few.get(`/sample-notes${query}`)).body
    expect(await list()).toEqual([])
    const made = []
    for (const name of ['a', 'b', 'c']) made.push(await few.create('/sample-notes', { name }))
    expect(await list()).toEqual(made)
    expect(await list('?limit=2')).toEqual(made.slice(0, 2))
    expect(await list('?limit=2&offset=1')).toEqual(made.slice(1))
    expect(await list('?limit=0')).toEqual([])
    await few.close()
  })

  test.each([
    ['limit=-1', 'limit must not be less than 0'],
    ['offset=x', 'offset must be an integer'],
    ['offset=100001', 'offset must not be greater than 100000'],
  ])('400 for %s', async (query, message) => {
    expect(refused(await service.get(`/sample-notes?${query}`), 400).message).toContain(message)
  })
})

describe('GET /sample-notes/:id', () => {
  test('200 with the sample note', async () => {
    const body = await service.create('/sample-notes', { name: 'one' })
    expect(await service.get(`/sample-notes/${body.id}`)).toMatchObject({ status: 200, body })
  })

  test('400 for an id that is no UUID, 404 for an unknown one', async () => {
    expect(refused(await service.get('/sample-notes/5'), 400).message).toContain(uuidExpected)
    expect(refused(await service.get(`/sample-notes/${nobody}`), 404).message).toContain('Sample note not found')
  })
})
