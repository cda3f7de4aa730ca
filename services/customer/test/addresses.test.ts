import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Account, AccountCreated, AccountUpdated } from '@bursar/contracts/account'
import type { Envelope } from '@bursar/contracts/event'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { nobody, notUuid, refused, type TestCustomers, testCustomers } from './harness'

/** The account service by its contract: account id → addresses. */
const addresses = new Map<string, string[]>()
const answering = (request: Request) => {
  const id = /^\/v1\/accounts\/([^/]+)\/addresses$/.exec(new URL(request.url).pathname)?.[1] ?? ''
  const found = addresses.get(id)
  return found ? Response.json(found) : refusal(404)
}
const refusal = (status: number) => Response.json({ error: { code: 'X', message: 'no' } }, { status })

let accountService: LocalServer
let service: TestCustomers
beforeAll(async () => {
  accountService = localServer(answering)
  service = await testCustomers({ account: accountService.url })
})
afterAll(async () => {
  await service.close()
  await accountService.stop()
})

let version = 0
const eventOf = (account: Partial<Account>, event = AccountCreated, id: string = Bun.randomUUIDv7()): Envelope => ({
  id,
  name: event.name,
  type: event.type,
  timestamp: '2026-01-01T00:00:00.000Z',
  requestId: null,
  service: 'account',
  data: { account: { customerId: null, ...account }, participantId: null, epoch: 1, version: ++version },
})
/** Delivers an event of the account service about an account. */
const announce = async (account: Partial<Account>, event?: typeof AccountCreated, eventId?: string) => {
  const id = account.id ?? Bun.randomUUIDv7()
  await service.consume(eventOf({ ...account, id }, event, eventId))
  return id
}

let customers = 0
const newCustomer = async (): Promise<string> =>
  (await service.post('/customers', { externalId: `customer-${++customers}`, status: 'active' })).body.id
const ask = (id: string, requestId: string = Bun.randomUUIDv7()) =>
  service.get(`/customers/${id}/accounts/addresses`, { 'x-request-id': requestId })
/** What the account service was asked for a request: one that was given up, of another test, may still come. */
const askedFor = (requestId: string) =>
  accountService.requests.filter(({ headers }) => headers.get('x-request-id') === requestId)

describe('GET /customers/:id/accounts/addresses', () => {
  test('200 with an empty list for a customer without accounts, without a call', async () => {
    expect(await ask(await newCustomer(), 'of-none')).toMatchObject({ status: 200, body: [] })
    expect(askedFor('of-none')).toEqual([])
  })

  test('200 with those of all its accounts, the oldest first, each once', async () => {
    const customerId = await newCustomer()
    addresses.set(await announce({ customerId }), ['0xa', '0xb'])
    addresses.set(await announce({ customerId }), ['0xc', '0xa'])
    addresses.set(await announce({ customerId: await newCustomer() }), ['0xd'])
    addresses.set(await announce({}), ['0xe'])
    expect(await ask(customerId)).toMatchObject({ status: 200, body: ['0xa', '0xb', '0xc'] })
  })

  test('asks no further once its caller has gone: a customer may have very many accounts', async () => {
    const customerId = await newCustomer()
    for (let i = 0; i < 40; i++) addresses.set(await announce({ customerId }), [`0x1${i}`])
    let asked: Request | undefined
    let answered: Promise<Response> | undefined
    const front = localServer((request) => {
      asked = request
      answered = service.fetch(request)
      return answered
    })
    const caller = new AbortController()
    accountService.answer(async (request) => {
      if (request.headers.get('x-request-id') !== 'gone') return answering(request)
      caller.abort()
      await until(() => asked?.signal.aborted === true, { what: 'the service to hear that its caller has gone' })
      return answering(request)
    })
    const headers = { 'x-request-id': 'gone' }
    await expect(
      fetch(`${front.url}/customers/${customerId}/accounts/addresses`, { headers, signal: caller.signal }),
    ).rejects.toThrow()
    await answered
    expect(askedFor('gone').length).toBeWithin(1, 9)
    accountService.answer(answering)
    await front.stop()
  })

  test('an event delivered twice, or out of order, does not add a second account', async () => {
    const customerId = await newCustomer()
    const id = Bun.randomUUIDv7()
    const [earlier, later] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    addresses.set(id, ['0xf'])
    await announce({ id, customerId }, AccountUpdated, later)
    await announce({ id, customerId }, AccountCreated, earlier)
    await announce({ id, customerId }, AccountCreated, earlier)
    expect((await ask(customerId, 'of-one')).body).toEqual(['0xf'])
    expect(askedFor('of-one')).toHaveLength(1)
  })

  test('an account whose first event was lost is known from its next event', async () => {
    const customerId = await newCustomer()
    addresses.set(await announce({ customerId }, AccountUpdated), ['0x1'])
    expect((await ask(customerId)).body).toEqual(['0x1'])
  })

  test.each([7, 8, 9, 20])('200 with those of %d accounts, in their order', async (count) => {
    const customerId = await newCustomer()
    const all = Array.from({ length: count }, (_, i) => `0x${count}-${i}`)
    for (const address of all) addresses.set(await announce({ customerId }), [address])
    expect(await ask(customerId)).toMatchObject({ status: 200, body: all })
  })

  test('the account service is called with a service identity', async () => {
    const customerId = await newCustomer()
    addresses.set(await announce({ customerId }), [])
    await ask(customerId, 'traced')
    expect(askedFor('traced').map(({ headers }) => headers.has('x-identity'))).toEqual([true])
  })

  test('400 for an id that is not a UUID, 404 for an unknown id', async () => {
    expect(refused(await ask('x'), 400)).toEqual(notUuid)
    expect(refused(await ask(nobody), 404).code).toBe('NOT_FOUND')
  })

  test('an account that the account service does not know has no addresses', async () => {
    const customerId = await newCustomer()
    await announce({ customerId })
    expect(await ask(customerId)).toMatchObject({ status: 200, body: [] })
  })

  test.each([
    ['502 when the account service fails', () => refusal(500), 502, 'UPSTREAM_ERROR'],
    ['502 when it breaks its contract', () => Response.json({}), 502, 'UPSTREAM_ERROR'],
    ['503 when it answers that a service behind it is unavailable', () => refusal(503), 503, 'SERVICE_UNAVAILABLE'],
    ['504 when a service behind it times out', () => refusal(504), 504, 'UPSTREAM_TIMEOUT'],
    ['504 when it times out itself', () => new Promise<Response>(() => {}), 504, 'UPSTREAM_TIMEOUT'],
  ])('%s', async (_what, handler, status, code) => {
    const customerId = await newCustomer()
    await announce({ customerId })
    accountService.answer(handler)
    const get = () => ask(customerId)
    expect(refused(await service.impatiently(get, status === 504), status).code).toBe(code)
    accountService.answer(answering)
  })

  test('503 when it cannot be reached', async () => {
    const alone = await testCustomers()
    const { id: customerId } = (await alone.post('/customers', { externalId: 'alone', status: 'active' })).body
    await alone.consume(eventOf({ id: Bun.randomUUIDv7(), customerId }))
    expect(refused(await alone.get(`/customers/${customerId}/accounts/addresses`), 503)).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The account service cannot be reached',
    })
    await alone.close()
  })
})
