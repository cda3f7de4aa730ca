import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, notUuid, refused, type TestCustomers, testCustomers } from './harness'

let service: TestCustomers
beforeAll(async () => {
  service = await testCustomers()
})
afterAll(() => service.close())

let made = 0
const customer = (fields: object = {}) =>
  service.create('/customers', { externalId: `ext-${++made}`, status: 'active', ...fields })

describe('GET /internal/customers/by-external-id', () => {
  const path = (externalId: string) => `/internal/customers/by-external-id?${new URLSearchParams({ externalId })}`

  // An address would lose the last two as parts of its path.
  test.each(['of/a ?&% kind', '.', '..'])('200 for another service: %s', async (externalId) => {
    const body = await customer({ externalId })
    const answer = await service.get(path(body.externalId), await service.asService('account'))
    const [event] = await service.eventsOf(body.id)
    expect([answer.status, answer.body]).toEqual([200, event?.data])
  })

  test('404 for an unknown id', async () => {
    expect(refused(await service.get(path('none'), await service.asService('account')), 404).code).toBe('NOT_FOUND')
  })

  test('401 for other callers', async () => {
    expect(refused(await service.get(path('none')), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await service.get(path('none'), { 'x-identity': 'a.b.c' }), 401).code).toBe('UNAUTHORIZED')
  })
})

describe('GET /internal/customers/:id', () => {
  test('200 with the mark of its last state, for another service', async () => {
    const { id } = await customer()
    await service.put(`/customers/${id}`, { status: 'inactive' })
    const answer = await service.get(`/internal/customers/${id}`, await service.asService('account'))
    const [, updated] = await service.eventsOf(id)
    const statusChange = expect.objectContaining({ from: 'active', to: 'inactive' })
    expect([answer.status, { ...answer.body, statusChange }]).toEqual([200, updated?.data])
  })

  test('404 for an unknown id, 400 for an id that is not a UUID, 401 for other callers', async () => {
    const headers = await service.asService('account')
    expect(refused(await service.get(`/internal/customers/${nobody}`, headers), 404).code).toBe('NOT_FOUND')
    expect(refused(await service.get('/internal/customers/x', headers), 400)).toEqual(notUuid)
    expect(refused(await service.get(`/internal/customers/${nobody}`), 401).code).toBe('UNAUTHORIZED')
    const participant = await service.asParticipant(nobody)
    expect(refused(await service.get(`/internal/customers/${nobody}`, participant), 401).code).toBe('UNAUTHORIZED')
  })
})

describe('GET /internal/customers/changes', () => {
  test('200 with each customer once, in the order of its last change', async () => {
    const own = await testCustomers()
    const add = async (externalId: string) => (await own.post('/customers', { externalId, status: 'active' })).body
    const changes = async (after: number) => {
      const { status, body } = await own.get(
        `/internal/customers/changes?after=${after}`,
        await own.asService('account'),
      )
      expect(status).toBe(200)
      return body
    }
    const empty = await changes(0)
    expect(empty).toEqual({ epoch: empty.epoch, items: [], more: false })
    const [a, b, c] = [await add('a'), await add('b'), await add('c')]
    await own.put(`/customers/${a.id}`, { status: 'suspended' })
    const { items } = await changes(0)
    expect(items.map(({ record }: { record: object }) => record)).toEqual([b, c, { ...a, status: 'suspended' }])
    expect((await changes(items[0].version)).items).toEqual(items.slice(1))
    expect((await changes(items[2].version)).items).toEqual([])
    const [event] = (await own.eventsOf(b.id)).map(({ data }) => data)
    expect(event).toEqual({ customer: b, epoch: empty.epoch, version: items[0].version })
    await own.close()
  })

  test('200 with at most 500, and whether there are more', async () => {
    const own = await testCustomers()
    const many = Array.from({ length: 501 }, (_, i) => `many-${i}`)
    await Promise.all(many.map((externalId) => own.post('/customers', { externalId, status: 'active' })))
    const headers = await own.asService('account')
    const first = (await own.get('/internal/customers/changes', headers)).body
    expect([first.items.length, first.more]).toEqual([500, true])
    const last = first.items.at(-1).version
    const rest = (await own.get(`/internal/customers/changes?after=${last}`, headers)).body
    expect([rest.items.length, rest.more]).toEqual([1, false])
    await own.close()
  })

  test('400 for an invalid version, 401 for other callers', async () => {
    const headers = await service.asService('account')
    expect(refused(await service.get('/internal/customers/changes?after=x', headers), 400).code).toBe('INVALID_REQUEST')
    expect(refused(await service.get('/internal/customers/changes'), 401).code).toBe('UNAUTHORIZED')
  })
})
