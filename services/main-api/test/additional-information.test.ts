import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { registered } from './bodies'
import { nobody, openService, refused, type TestMainApi, uuidExpected } from './harness'

let service: TestMainApi
let participantId: string
beforeAll(async () => {
  service = await openService()
  participantId = (await registered(service)).id
})
afterAll(() => service.close())

let made = 0
const add = async (fields: object = {}) =>
  await service.post('/admin/additional-information', { participantId, key: `key-${++made}`, value: 'v', ...fields })

describe('POST /admin/additional-information', () => {
  test('201 with the information, as it came', async () => {
    const { status, body } = await add({ key: 'window', value: '09:00\nto 16:30' })
    const { id, createdAt } = body
    expect(status).toBe(201)
    expect(body).toEqual({
      id,
      participantId,
      key: 'window',
      value: '09:00\nto 16:30',
      createdAt,
      updatedAt: createdAt,
    })
  })

  test.each([
    [{ participantId: 'x' }, 'participantId must be a UUID'],
    [{ key: ' ' }, 'key should not be blank'],
    [{ key: 'x'.repeat(101) }, 'key must be at most 100 characters long'],
    [{ value: 7 }, 'value must be a string'],
    [{ value: 'x'.repeat(10_001) }, 'value must be at most 10000 characters long'],
    [{ value: 'a\u0007' }, 'value must not hold control characters'],
  ])('400 for %j', async (fields, message) => {
    expect(refused(await add(fields), 400).message).toBe(message)
  })

  test('404 for an unknown participant, 409 for a key that it already has', async () => {
    expect(refused(await add({ participantId: nobody }), 404).message).toBe('Participant not found')
    await add({ key: 'twice' })
    expect(refused(await add({ key: 'twice' }), 409).message).toBe('The participant already has a value for twice')
    const other = await registered(service)
    expect((await add({ participantId: other.id, key: 'twice' })).status).toBe(201)
  })

  test('is made once for one Idempotency-Key', async () => {
    const body = { participantId, key: 'once', value: 'v' }
    const send = () => service.post('/admin/additional-information', body, { 'idempotency-key': 'info-1' })
    const [first, second] = [await send(), await send()]
    expect([second.status, second.body]).toEqual([201, first.body])
  })
})

describe('PUT /admin/additional-information/:id', () => {
  test('200: the given fields alone change', async () => {
    const { body: before } = await add()
    const { status, body } = await service.put(`/admin/additional-information/${before.id}`, { value: 'new' })
    expect([status, body]).toEqual([200, { ...before, value: 'new', updatedAt: body.updatedAt }])
    expect((await service.put(`/admin/additional-information/${before.id}`, { key: 'renamed' })).body.key).toBe(
      'renamed',
    )
  })

  test('400 for a bad value, 404 for an unknown id, 409 for a key that the participant already has', async () => {
    const { body } = await add({ key: 'mine' })
    await add({ key: 'taken' })
    const put = (id: string, changes: object) => service.put(`/admin/additional-information/${id}`, changes)
    expect(refused(await put(body.id, { value: null }), 400).message).toStartWith('value must be a string')
    expect(refused(await put(nobody, { value: 'v' }), 404).message).toBe('Additional information not found')
    expect(refused(await put('x', { value: 'v' }), 400).message).toBe(uuidExpected)
    expect(refused(await put(body.id, { key: 'taken' }), 409).code).toBe('CONFLICT')
    expect((await put(body.id, { key: 'mine', value: 'same key' })).status).toBe(200)
  })
})

test('DELETE /admin/additional-information/:id: 200, then 404; its key can be used again', async () => {
  const { body } = await add({ key: 'short-lived' })
  const remove = () => service.del(`/admin/additional-information/${body.id}`)
  expect((await remove()).body).toEqual({ success: true, message: 'Additional information deleted' })
  expect(refused(await remove(), 404).message).toBe('Additional information not found')
  expect((await add({ key: 'short-lived' })).status).toBe(201)
  expect(refused(await service.del('/admin/additional-information/x'), 400).message).toBe(uuidExpected)
})

describe('the lists', () => {
  test('all by pages, of one participant, and the caller’s own', async () => {
    const own = await openService()
    const [first, second] = [await registered(own), await registered(own)]
    const all = []
    for (const [participant, key] of [
      [first, 'a'],
      [second, 'a'],
      [first, 'b'],
    ] as const) {
      const body = { participantId: participant.id, key, value: 'v' }
      all.push(await own.create('/admin/additional-information', body))
    }
    const [a, b, c] = all
    const list = async (query: string) => (await own.get(`/admin/additional-information${query}`)).body
    expect(await list('')).toEqual({ data: [a, b, c], pageInfo: { limit: 20, offset: 0, total: 3 } })
    expect(await list(`?participantId=${first.id}&limit=1&offset=1`)).toEqual({
      data: [c],
      pageInfo: { limit: 1, offset: 1, total: 2 },
    })
    expect((await own.get(`/additional-information/participant/${first.id}`)).body).toEqual({ data: [a, c] })
    const headers = await own.asParticipant(second.id)
    expect((await own.get('/additional-information', headers)).body).toEqual({ data: [b] })
    await own.close()
  })

  test('400, 401 and 404', async () => {
    const get = (path: string, headers?: Record<string, string>) => service.get(path, headers)
    expect(refused(await get('/admin/additional-information?limit=101'), 400).code).toBe('INVALID_REQUEST')
    expect(refused(await get('/admin/additional-information?participantId=x'), 400).code).toBe('INVALID_REQUEST')
    expect(refused(await get('/additional-information'), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await get('/additional-information', await service.asParticipant(nobody)), 404).code).toBe(
      'NOT_FOUND',
    )
    expect(refused(await get(`/additional-information/participant/${nobody}`), 404).message).toBe(
      'Participant not found',
    )
    expect(refused(await get('/additional-information/participant/x'), 400).message).toBe(uuidExpected)
  })
})
