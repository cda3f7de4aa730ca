import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, openService, refused, type TestService, uuidExpected } from './harness'

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

describe('POST /sample-notes', () => {
  test('201 with the sample note', async () => {
    const { status, body } = await service.post('/sample-notes', { name: 'first' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(uuidV7),
      name: 'first',
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
  })

  test.each([
    ['nothing', {}, 'name should not be empty'],
    ['a name that is none', { name: 5 }, 'name must be a string'],
    ['a name that is too long', { name: 'x'.repeat(256) }, 'name must be at most 255 characters long'],
  ])('400 for %s', async (_what, body, message) => {
    expect(refused(await service.post('/sample-notes', body), 400).message).toContain(message)
  })
})

describe('GET /sample-notes', () => {
  let few: TestService
  beforeAll(async () => {
    few = await openService()
  })
  afterAll(() => few.close())
  const names = async (query = '') =>
    (await few.get<{ data: { name: string }[] }>(`/sample-notes${query}`)).body.data.map(({ name }) => name)

  test('200 with none', async () => {
    const { status, body } = await few.get('/sample-notes')
    expect([status, body]).toEqual([200, { data: [], pageInfo: { limit: 10, offset: 0, total: 0 } }])
  })

  test('200 with a page, newest first', async () => {
    for (const name of ['a', 'b', 'c']) await few.create('/sample-notes', { name })
    expect(await names()).toEqual(['c', 'b', 'a'])
    expect(await names('?limit=2')).toEqual(['c', 'b'])
    expect(await names('?limit=2&offset=2')).toEqual(['a'])
    expect(await names('?sortOrder=asc')).toEqual(['a', 'b', 'c'])
    const { body } = await few.get('/sample-notes?limit=1&offset=1')
    expect(body.pageInfo).toEqual({ limit: 1, offset: 1, total: 3 })
  })

  test.each([
    ['limit=-1', 'limit must not be less than 0'],
    ['offset=x', 'offset must be an integer'],
    ['sortBy=size', 'sortBy must be one of the following values: createdAt'],
  ])('400 for %s', async (query, message) => {
    expect(refused(await few.get(`/sample-notes?${query}`), 400).message).toContain(message)
  })
})

describe('GET /sample-notes/:id', () => {
  test('200 with the sample note', async () => {
    const body = await service.create('/sample-notes', { name: 'one' })
    expect(await service.get(`/sample-notes/${body.id}`)).toMatchObject({ status: 200, body })
  })

  test('400 for what is no UUID, 404 for one that nothing has', async () => {
    expect(refused(await service.get('/sample-notes/5'), 400).message).toContain(uuidExpected)
    expect(refused(await service.get(`/sample-notes/${nobody}`), 404).message).toContain('Sample note not found')
  })
})
