import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CustomerCreated, CustomerUpdated } from '@bursar/contracts/customer'
import { nobody, refused, type TestAccounts, testAccounts } from './harness'
import { failures, type Peer, startPeer } from './peers'

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const plain = { type: 'STABLECOINS', status: 'active', name: 'An account' }
const nothing = {
  customerId: null,
  customerExternalId: null,
  walletAccountId: null,
  accountExternalId: null,
  customerName: null,
}

let customers: Peer
let wallet: Peer
let service: TestAccounts
beforeAll(async () => {
  customers = startPeer()
  wallet = startPeer()
  service = await testAccounts({ customer: customers.server.url, wallet: wallet.server.url })
})
afterAll(async () => {
  await service.close()
  await Promise.all([customers.server.stop(), wallet.server.stop()])
})

const account = async (fields: object = {}) => {
  const answer = await service.post('/accounts', { ...plain, ...fields })
  expect(answer.status).toBe(201)
  return answer.body
}

let made = 0
/** A customer of the customer service without a replica here. */
const unknownCustomer = () => {
  const customer = { id: Bun.randomUUIDv7(), externalId: `customer-${++made}`, status: 'active', createdAt: now }
  const state = { customer, epoch: 1, version: made }
  customers.answers.set(`GET /internal/customers/${customer.id}`, state)
  customers.answers.set(`GET /internal/customers/by-external-id?externalId=${customer.externalId}`, state)
  return customer
}
const now = '2026-01-01T00:00:00.000Z'
/** The requests for it: one for another that its caller has given up may still come. */
const askedFor = ({ id, externalId }: { id: string; externalId: string }) =>
  customers.server.requests.filter(({ path }) => path.includes(id) || path.endsWith(`externalId=${externalId}`))
const announce = (customer: object, event = CustomerCreated, id: string = Bun.randomUUIDv7(), version = 1, epoch = 1) =>
  service.consume({
    id,
    name: event.name,
    type: event.type,
    timestamp: now,
    requestId: null,
    service: 'customer',
    data: { customer, epoch, version },
  })

describe('POST /accounts', () => {
  test('201: an answer of ours as a body, whose fields are null where they were not given', async () => {
    const first = await account()
    const second = await account(first)
    expect(second).toEqual({ ...first, id: expect.any(String), createdAt: expect.any(String) })
    expect(second.id).not.toBe(first.id)
  })

  test('201: an external id that a restore gave to another customer is that one’s', async () => {
    const [lost, present] = [1, 2].map(() => ({ ...unknownCustomer(), externalId: 'given-twice' }))
    await announce(present as object, CustomerCreated, undefined, 1, 2)
    await announce(lost as object)
    expect((await account({ customerExternalId: 'given-twice' })).customerId).toBe(present?.id)
  })

  test.each(['STABLECOINS', 'PORTFOLIO', 'OMNIBUS', 'FEE_PAYER'])('201 with the account, %s', async (type) => {
    const { status, body } = await service.post('/accounts', { ...plain, type })
    expect(status).toBe(201)
    expect(body).toEqual({ ...plain, ...nothing, type, id: body.id, createdAt: body.createdAt })
    expect(body.id).toMatch(uuidV7)
    expect(body.createdAt).toMatch(isoTime)
  })

  test('201 with every field', async () => {
    const customer = unknownCustomer()
    const walletAccountId = crypto.randomUUID()
    wallet.answers.set(`GET /internal/wallet-accounts/${walletAccountId}`, { id: walletAccountId })
    const fields = {
      type: 'PORTFOLIO',
      status: 'suspended',
      name: 'x'.repeat(100),
      customerId: customer.id,
      customerExternalId: customer.externalId,
      walletAccountId,
      accountExternalId: 'every-field',
      customerName: 'Somebody',
    }
    const body = await account(fields)
    expect(body).toEqual({ ...fields, id: body.id, createdAt: body.createdAt })
  })

  test('publishes an event', async () => {
    const body = await account()
    const [event] = await service.eventsOf(body.id)
    expect(event).toMatchObject({
      name: 'account.account.created',
      service: 'account',
      data: { account: body, participantId: null, epoch: expect.any(Number), version: expect.any(Number) },
    })
  })

  test('201 and unknown fields are dropped', async () => {
    const body = await account({ id: nobody, participantId: nobody, createdAt: now, version: 7 })
    expect(Object.keys(body).sort()).toEqual(Object.keys({ ...plain, ...nothing, id: 1, createdAt: 1 }).sort())
    expect(body.id).not.toBe(nobody)
  })

  test('400 names every field that is missing or wrong', async () => {
    const type = 'must be one of the following values: STABLECOINS, PORTFOLIO, OMNIBUS, FEE_PAYER'
    const status = 'must be one of the following values: active, inactive, deleted, suspended'
    const missing = refused(await service.post('/accounts', {}), 400)
    expect(missing.code).toBe('INVALID_REQUEST')
    expect(missing.details).toEqual([
      { field: 'type', message: `type ${type}` },
      { field: 'status', message: `status ${status}` },
      { field: 'name', message: 'name should not be empty' },
    ])
    const wrong = { ...plain, status: 1, name: '', customerId: 'x', walletAccountId: 5, accountExternalId: '' }
    expect(refused(await service.post('/accounts', wrong), 400).message.split('; ')).toEqual([
      `status ${status}`,
      'name should not be empty',
      'customerId must be a UUID',
      'walletAccountId must be a string',
      'accountExternalId should not be empty',
    ])
    expect(refused(await service.post('/accounts', { ...plain, name: 'x'.repeat(101) }), 400).message).toBe(
      'name must be at most 100 characters long',
    )
  })

  test('a name has 1 to 100 characters, whatever their size in UTF-16', async () => {
    const { name } = await account({ name: '🏦'.repeat(100) })
    expect(name).toBe('🏦'.repeat(100))
    for (const long of ['🏦'.repeat(101), `${'🏦'.repeat(99)}xy`, '🏦'.repeat(5000)]) {
      expect(refused(await service.post('/accounts', { ...plain, name: long }), 400).message).toBe(
        'name must be at most 100 characters long',
      )
    }
  })

  test.each(['name', 'customerName', 'customerExternalId', 'accountExternalId'])(
    '400 for control characters in %s',
    async (field) => {
      for (const value of ['a\nb', '\u0000', 'a\u001b[2J', '\u0085']) {
        expect(refused(await service.post('/accounts', { ...plain, [field]: value }), 400).message).toBe(
          `${field} must not hold control characters`,
        )
      }
    },
  )

  test('409 when accountExternalId is taken', async () => {
    await account({ accountExternalId: 'taken' })
    expect(refused(await service.post('/accounts', { ...plain, accountExternalId: 'taken' }), 409)).toEqual({
      code: 'CONFLICT',
      message: 'An account with accountExternalId taken already exists',
    })
  })

  test('409 when walletAccountId is taken', async () => {
    const walletAccountId = crypto.randomUUID()
    wallet.answers.set(`GET /internal/wallet-accounts/${walletAccountId}`, { id: walletAccountId })
    await account({ walletAccountId })
    expect(refused(await service.post('/accounts', { ...plain, walletAccountId }), 409)).toEqual({
      code: 'CONFLICT',
      message: `An account with walletAccountId ${walletAccountId} already exists`,
    })
  })

  test('of 20 at once with one accountExternalId, one is 201 and the others are 409', async () => {
    const body = { ...plain, accountExternalId: 'raced' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.post('/accounts', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
    const messages = answers.flatMap(({ status, body: { error } }) => (status === 409 ? [error.message] : []))
    expect(new Set(messages)).toEqual(new Set(['An account with accountExternalId raced already exists']))
  })

  test('repeated with the same idempotency key, it acts once', async () => {
    const body = { ...plain, accountExternalId: 'repeated' }
    const first = await service.post('/accounts', body, { 'idempotency-key': 'a-1' })
    const second = await service.post('/accounts', body, { 'idempotency-key': 'a-1' })
    expect([second.status, second.body]).toEqual([201, first.body])
    const asParticipant = async () => ({ ...(await service.asService('participant')), 'idempotency-key': 'a-1' })
    const made = await service.post('/accounts', plain, await asParticipant())
    expect(made.body.id).not.toBe(first.body.id)
    expect((await service.post('/accounts', plain, await asParticipant())).body).toEqual(made.body)
  })
})

describe('POST /accounts of a customer', () => {
  test('without a replica is fetched once, by either id; the account gets both', async () => {
    const customer = unknownCustomer()
    const ids = { customerId: customer.id, customerExternalId: customer.externalId }
    expect(await account({ customerId: customer.id })).toMatchObject(ids)
    expect(await account({ customerExternalId: customer.externalId })).toMatchObject(ids)
    expect(await account(ids)).toMatchObject(ids)
    expect(askedFor(customer)).toHaveLength(1)
    const other = unknownCustomer()
    expect(await account({ customerExternalId: other.externalId })).toMatchObject({ customerId: other.id })
  })

  test('with a replica is not fetched, whatever the order and number of events', async () => {
    const customer = { id: Bun.randomUUIDv7(), externalId: 'announced', status: 'active', createdAt: now }
    const [first, second] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    await announce(customer, CustomerUpdated, second, 2)
    await announce(customer, CustomerCreated, first, 1)
    await announce(customer, CustomerCreated, first, 1)
    expect(await account({ customerId: customer.id })).toMatchObject({ customerExternalId: 'announced' })
    expect(await account({ customerExternalId: 'announced' })).toMatchObject({ customerId: customer.id })
    expect(askedFor(customer)).toEqual([])
  })

  test('404 when there is none', async () => {
    expect(refused(await service.post('/accounts', { ...plain, customerId: nobody }), 404)).toEqual({
      code: 'NOT_FOUND',
      message: `There is no customer with customerId ${nobody}`,
    })
    expect(refused(await service.post('/accounts', { ...plain, customerExternalId: 'no one' }), 404)).toEqual({
      code: 'NOT_FOUND',
      message: 'There is no customer with customerExternalId no one',
    })
    const { id: customerId } = unknownCustomer()
    expect(
      refused(await service.post('/accounts', { ...plain, customerId, customerExternalId: 'no one' }), 404).code,
    ).toBe('NOT_FOUND')
  })

  test('400 when the two ids are those of two customers', async () => {
    const body = { ...plain, customerId: unknownCustomer().id, customerExternalId: unknownCustomer().externalId }
    expect(refused(await service.post('/accounts', body), 400)).toEqual({
      code: 'INVALID_REQUEST',
      message: 'customerId and customerExternalId are those of two different customers; send one of them',
    })
  })

  test.each(failures)('%s', async (_what, how, status, code) => {
    customers.fail(how)
    const post = () => service.post('/accounts', { ...plain, customerId: unknownCustomer().id })
    expect(refused(await service.impatiently(post, status === 504), status).code).toBe(code)
    customers.fail(null)
  })
})

describe('POST /accounts of a wallet account', () => {
  test('404 when the wallet service does not know it', async () => {
    expect(refused(await service.post('/accounts', { ...plain, walletAccountId: nobody }), 404)).toEqual({
      code: 'NOT_FOUND',
      message: `The wallet service knows no account ${nobody}`,
    })
  })

  test.each(failures)('%s', async (_what, how, status, code) => {
    wallet.fail(how)
    const post = () => service.post('/accounts', { ...plain, walletAccountId: nobody })
    expect(refused(await service.impatiently(post, status === 504), status).code).toBe(code)
    wallet.fail(null)
  })

  test('503 when the wallet service, or the customer service, is unreachable', async () => {
    const alone = await testAccounts()
    expect(refused(await alone.post('/accounts', { ...plain, walletAccountId: nobody }), 503)).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The wallet service cannot be reached',
    })
    expect(refused(await alone.post('/accounts', { ...plain, customerId: nobody }), 503).code).toBe(
      'SERVICE_UNAVAILABLE',
    )
    expect((await alone.post('/accounts', plain)).status).toBe(201)
    await alone.close()
  })
})
