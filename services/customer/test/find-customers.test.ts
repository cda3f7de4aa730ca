import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, refused, type TestCustomers, testCustomers } from './harness'

let service: TestCustomers
/** Oldest first. */
const made: { id: string; externalId: string; createdAt: string }[] = []
beforeAll(async () => {
  service = await testCustomers()
  for (const [externalId, status] of [
    ['alpine-dairy', 'active'],
    ['alpine-foods', 'suspended'],
    ['Öko Höfe', 'active'],
  ]) {
    made.push(await service.create('/customers', { externalId, status }))
  }
})
afterAll(() => service.close())

const ask = (query: string) => service.get(`/customers?${query}`)
const found = async (query: string) => {
  const { status, body } = await ask(query)
  return status === 200 ? body.map(({ externalId }: { externalId: string }) => externalId) : status
}
const [dairy, foods, farms] = ['alpine-dairy', 'alpine-foods', 'Öko Höfe']
const idOf = (place: number) => made[place]?.id ?? ''

describe('GET /customers', () => {
  test.each([
    ['status=suspended', [foods]],
    ['status=deleted', []],
    ['order=desc', [farms, foods, dairy]],
    ['order=desc&limit=1&offset=1', [foods]],
    ['q=ALPINE', [dairy, foods]],
    ['q=foods', [foods]],
    ['q=alpine&status=active', [dairy]],
    ['q=öko', [farms]],
    ['q=HÖFE', [farms]],
    ['q=pine', []],
    ['q=', [dairy, foods, farms]],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test('by id, and after a customer', async () => {
    expect(await found(`q=${idOf(1).toUpperCase()}`)).toEqual([foods])
    expect(await found(`q=${nobody}`)).toEqual([])
    expect(await found(`after=${idOf(0)}`)).toEqual([foods, farms])
    expect(await found(`after=${idOf(1)}&order=desc`)).toEqual([dairy])
  })

  test('count=true counts the customers that match the filters', async () => {
    const total = async (query: string) => (await ask(query)).headers.get('x-total-count')
    expect(await total('limit=1')).toBe(null)
    expect(await total(`count=true&limit=1&after=${idOf(1)}`)).toBe('3')
    expect(await total('count=true&q=alpine&status=active')).toBe('1')
  })

  test.each([
    ['status=closed', 'status must be one of the following values: active, inactive, deleted, suspended'],
    ['order=up', 'order must be one of the following values: asc, desc'],
    ['after=x', 'after must be a UUID'],
    [`q=${'x'.repeat(256)}`, 'q must be at most 255 characters long'],
  ])('400 for %s', async (query, message) => {
    expect(refused(await ask(query), 400).message).toBe(message)
  })
})

describe('GET /customers/export', () => {
  test('200 with a line for each customer that matches the filters', async () => {
    const { status, headers, body } = await service.get('/customers/export?status=active&order=desc')
    expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="customers.csv"'])
    const line = ({ id, externalId, createdAt }: (typeof made)[number]) => `${id},${externalId},active,${createdAt}`
    const [first, , third] = made as [(typeof made)[number], object, (typeof made)[number]]
    expect(body).toBe(['id,externalId,status,createdAt', line(third), line(first), ''].join('\r\n'))
  })

  test('400 for an invalid filter', async () => {
    expect(refused(await service.get('/customers/export?status=x'), 400).code).toBe('INVALID_REQUEST')
  })
})

describe('GET /internal/search', () => {
  const hits = async (query: Record<string, string>) =>
    (await service.get(`/internal/search?${new URLSearchParams(query)}`, await service.asService('gateway'))).body

  test('200 by the id, or by the beginning of a word', async () => {
    const [, { id, externalId, createdAt: at }] = made as [object, (typeof made)[number]]
    const hit = { kind: 'customer', id, title: externalId, detail: 'Customer', status: 'suspended', at }
    expect(await hits({ q: id.toUpperCase() })).toEqual([hit])
    expect(await hits({ q: ' Foods ' })).toEqual([hit])
    expect((await hits({ q: 'alp' })).map(({ title }: { title: string }) => title)).toEqual([dairy, foods])
    expect(await hits({ q: nobody })).toEqual([])
  })

  test('nothing for a participant, 401 for other callers', async () => {
    expect(await hits({ q: 'alpine', participantId: nobody })).toEqual([])
    expect(refused(await service.get('/internal/search?q=x'), 401).code).toBe('UNAUTHORIZED')
  })
})
