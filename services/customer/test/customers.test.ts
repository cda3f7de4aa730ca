import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { CustomerState } from '@bursar/contracts/customer'
import { nobody, notUuid, refused, type TestCustomers, testCustomers } from './harness'

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const statuses = ['active', 'inactive', 'deleted', 'suspended']

let service: TestCustomers
beforeAll(async () => {
  service = await testCustomers()
})
afterAll(() => service.close())

let made = 0
const nextExternalId = () => `ext-${++made}`
const customer = async (fields: object = {}) => {
  const answer = await service.post('/customers', { externalId: nextExternalId(), status: 'active', ...fields })
  expect(answer.status).toBe(201)
  return answer.body
}

describe('POST /customers', () => {
  test.each(statuses)('201 with the customer, %s', async (status) => {
    const externalId = nextExternalId()
    const { status: code, body } = await service.post('/customers', { externalId, status })
    expect(code).toBe(201)
    expect(body).toEqual({ id: body.id, externalId, status, createdAt: body.createdAt })
    expect(body.id).toMatch(uuidV7)
    expect(body.createdAt).toMatch(isoTime)
  })

  test('publishes an event', async () => {
    const body = await customer()
    const [event] = await service.eventsOf(body.id)
    expect(event).toMatchObject({
      name: 'customer.customer.created',
      service: 'customer',
      data: { customer: body, epoch: expect.any(Number), version: expect.any(Number) },
    })
  })

  test('201 and unknown fields are dropped', async () => {
    const body = await customer({ id: nobody, createdAt: '2000-01-01T00:00:00.000Z', version: 9 })
    expect(Object.keys(body).sort()).toEqual(['createdAt', 'externalId', 'id', 'status'])
    expect(body.id).not.toBe(nobody)
  })

  test('400 names every field that is missing or wrong', async () => {
    const missing = refused(await service.post('/customers', {}), 400)
    expect(missing.code).toBe('INVALID_REQUEST')
    expect(missing.details).toEqual([
      { field: 'externalId', message: 'externalId should not be empty' },
      {
        field: 'status',
        message: 'status must be one of the following values: active, inactive, deleted, suspended',
      },
    ])
    const wrong = refused(await service.post('/customers', { externalId: 5, status: 'ACTIVE' }), 400)
    expect(wrong.message).toBe(
      'externalId must be a string; status must be one of the following values: active, inactive, deleted, suspended',
    )
  })

  test.each([
    ['an empty externalId', { externalId: '', status: 'active' }, 'externalId should not be empty'],
    [
      'an externalId that is too long',
      { externalId: 'x'.repeat(256), status: 'active' },
      'externalId must be at most 255 characters long',
    ],
    ...['a\nb', 'a\u0000', '\u009b31m'].map(
      (externalId) =>
        [
          `the control character in ${JSON.stringify(externalId)}`,
          { externalId, status: 'active' },
          'externalId must not hold control characters',
        ] as const,
    ),
    ['null', { externalId: null, status: 'active' }, 'externalId must be a string'],
  ])('400 for %s', async (_what, body, message) => {
    expect(refused(await service.post('/customers', body), 400).message).toBe(message)
  })

  test('400 for a body that is not JSON', async () => {
    expect(refused(await service.post('/customers', '{"externalId":'), 400).message).toBe('The body is not valid JSON')
  })

  test('409 when the externalId is taken, also by a customer whose status is deleted', async () => {
    const { externalId } = await customer({ status: 'deleted' })
    expect(refused(await service.post('/customers', { externalId, status: 'active' }), 409)).toEqual({
      code: 'CONFLICT',
      message: `A customer with externalId ${externalId} already exists`,
    })
  })

  test('of 20 at once with one externalId, one is 201 and the others are 409', async () => {
    const externalId = nextExternalId()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.post('/customers', { externalId, status: 'active' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  })

  test('repeated with the same idempotency key, it acts once', async () => {
    const body = { externalId: nextExternalId(), status: 'active' }
    const first = await service.post('/customers', body, { 'idempotency-key': 'c-1' })
    const second = await service.post('/customers', body, { 'idempotency-key': 'c-1' })
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(
      refused(await service.post('/customers', { ...body, status: 'inactive' }, { 'idempotency-key': 'c-1' }), 422)
        .code,
    ).toBe('UNPROCESSABLE')
  })

  test('the same from another service, though its token differs', async () => {
    const body = { externalId: nextExternalId(), status: 'active' }
    const first = await service.post('/customers', body, {
      ...(await service.asService('participant')),
      'idempotency-key': 's-1',
    })
    const again = await service.post('/customers', body, {
      ...(await service.asService('participant')),
      'idempotency-key': 's-1',
    })
    expect([again.status, again.body]).toEqual([201, first.body])
  })
})

describe('GET /customers', () => {
  let few: TestCustomers
  beforeEach(async () => {
    few = await testCustomers()
    await add('a', 'b', 'c')
  })
  afterEach(() => few.close())
  const add = (...externalIds: string[]) =>
    Promise.all(externalIds.map((externalId) => few.post('/customers', { externalId, status: 'active' })))
  const externalIds = async (query = '') =>
    (await few.get(`/customers${query}`)).body.map((each: { externalId: string }) => each.externalId)

  test('200 with an empty list', async () => {
    const empty = await testCustomers()
    const { status, body } = await empty.get('/customers')
    expect([status, body]).toEqual([200, []])
    await empty.close()
  })

  test('200 with all, oldest first', async () => {
    expect(await externalIds()).toEqual(['a', 'b', 'c'])
    expect(await externalIds('?limit=2')).toEqual(['a', 'b'])
    expect(await externalIds('?limit=2&offset=2')).toEqual(['c'])
    expect(await externalIds('?offset=1')).toEqual(['b', 'c'])
    expect(await externalIds('?limit=0')).toEqual([])
  })

  test('200 with more customers than one read returns', async () => {
    const many = Array.from({ length: 1200 }, (_, i) => `many-${i}`)
    await add(...many)
    expect(await externalIds()).toEqual(['a', 'b', 'c', ...many])
    expect(await externalIds('?limit=700&offset=3')).toEqual(many.slice(0, 700))
    const { headers } = await few.get('/customers', { 'x-request-id': 'mine' })
    expect(headers.get('content-type')).toStartWith('application/json')
    expect(headers.get('x-request-id')).toBe('mine')
  })

  test('reading stops when the caller disconnects', async () => {
    const response = await few.fetch(new Request('http://localhost/v1/customers'))
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(await externalIds('?limit=1')).toEqual(['a'])
  })

  test.each([
    ['limit=-1', 'limit must not be less than 0'],
    ['limit=x', 'limit must be an integer'],
    ['offset=1e3', 'offset must be an integer'],
  ])('400 for %s', async (query, message) => {
    expect(refused(await few.get(`/customers?${query}`), 400).message).toBe(message)
  })
})

describe('GET /customers/:id', () => {
  test('200', async () => {
    const body = await customer()
    expect(await service.get(`/customers/${body.id}`)).toMatchObject({ status: 200, body })
  })

  test('200 for one whose status is deleted', async () => {
    const body = await customer({ status: 'deleted' })
    expect(await service.get(`/customers/${body.id}`)).toMatchObject({ status: 200, body })
  })

  test('400 for an id that is not a UUID, 404 for an unknown id', async () => {
    expect(refused(await service.get('/customers/5'), 400)).toEqual(notUuid)
    expect(refused(await service.get(`/customers/${nobody}`), 404)).toEqual({
      code: 'NOT_FOUND',
      message: 'Customer not found',
    })
  })
})

describe('PUT /customers/:id', () => {
  const put = (id: string, body?: unknown) => service.ask('PUT', `/customers/${id}`, body)

  test('200: any status may follow any other', async () => {
    const body = await customer()
    for (const status of [...statuses, ...statuses.toReversed()]) {
      expect(await put(body.id, { status })).toMatchObject({ status: 200, body: { ...body, status } })
    }
    expect((await service.get(`/customers/${body.id}`)).body.status).toBe('active')
  })

  test('publishes an event with a higher version for each change; the same status again is no change', async () => {
    const body = await customer()
    await put(body.id, { status: 'suspended' })
    await put(body.id, { status: 'suspended' })
    await put(body.id, { status: 'active' })
    const events = await service.eventsOf(body.id)
    expect(events.map(({ name, data }) => [name, (data as CustomerState).customer])).toEqual([
      ['customer.customer.created', body],
      ['customer.customer.updated', { ...body, status: 'suspended' }],
      ['customer.customer.updated', body],
    ])
    const marks = events.map(({ data }) => data as CustomerState)
    expect(new Set(marks.map(({ epoch }) => epoch)).size).toBe(1)
    const versions = marks.map(({ version }) => version)
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
  })

  test('400 for an unknown or missing status', async () => {
    const { id } = await customer()
    const message = 'status must be one of the following values: active, inactive, deleted, suspended'
    expect(refused(await put(id, { status: 'closed' }), 400).message).toBe(message)
    expect(refused(await put(id, {}), 400).message).toBe(message)
  })

  test('400 for an id that is not a UUID, 404 for an unknown id', async () => {
    expect(refused(await put('x', { status: 'active' }), 400)).toEqual(notUuid)
    expect(refused(await put(nobody, { status: 'active' }), 404).code).toBe('NOT_FOUND')
  })
})

describe('DELETE /customers/:id', () => {
  test.each(['an id', nobody, 'malformed'])('405 for %s', async (id) => {
    const path = `/customers/${id === 'an id' ? (await customer()).id : id}`
    const answer = await service.ask('DELETE', path)
    expect(refused(answer, 405).code).toBe('METHOD_NOT_ALLOWED')
    expect(answer.headers.get('allow')).toBe('GET, HEAD, PUT')
  })
})

describe('paths and methods that are not served', () => {
  test('are 404, or 405 with the allowed methods', async () => {
    expect(refused(await service.get('/nothing'), 404).code).toBe('NOT_FOUND')
    const answer = await service.ask('PATCH', '/customers')
    expect([refused(answer, 405).code, answer.headers.get('allow')]).toEqual(['METHOD_NOT_ALLOWED', 'GET, HEAD, POST'])
  })
})

describe('GET /health', () => {
  test('200', async () => {
    expect(await service.get('/health')).toMatchObject({ status: 200, body: { status: 'ok', service: 'customer' } })
  })

  test('503 when the database cannot be used', async () => {
    const closed = await testCustomers()
    await closed.close()
    expect(await closed.get('/health')).toMatchObject({ status: 503, body: { status: 'error', service: 'customer' } })
  })
})
