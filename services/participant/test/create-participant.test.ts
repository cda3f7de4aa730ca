import { describe, expect, test } from 'bun:test'
import { idempotencyKeys } from '@bursar/store/schema'
import { storedText } from '@bursar/testing/service'
import { participants } from '../src/participants/participants.table'
import { account, customer, nobody, plain, refused } from './harness'
import { peers, service, withPeers } from './peered-service'

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

withPeers()

describe('POST /participants', () => {
  test('201 with the participant', async () => {
    const input = plain({ routerData: { blockchain: 'solana', hops: [1, { a: null }] } })
    const { status, body } = await service.post('/participants', input)
    expect(status).toBe(201)
    expect(body).toEqual({
      ...input,
      id: body.id,
      omnibusAccountId: null,
      feePayerAccountId: null,
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
      deletedAt: null,
    })
    expect(body.id).toMatch(uuidV7)
    expect(body.createdAt).toMatch(isoTime)
    expect((await service.get(`/participants/${body.id}`)).body).toEqual(body)
  })

  test('201 without routerData, or with null', async () => {
    expect((await service.post('/participants', plain())).body.routerData).toBeNull()
    expect((await service.post('/participants', plain({ routerData: null }))).body.routerData).toBeNull()
  })

  test('201 with its customers and their accounts, made in their own services', async () => {
    const [one, two] = [
      customer({ accounts: [account(), account({ name: 'Second', status: 'inactive' })] }),
      customer(),
    ]
    const { status, body } = await service.post(
      '/participants',
      plain({ customers: [one, two, customer({ accounts: undefined })] }),
    )
    expect(status).toBe(201)
    expect(body.customers).toHaveLength(3)
    const made = body.customers[0]
    expect(made).toEqual({
      id: made.id,
      externalId: one.externalId,
      status: 'active',
      createdAt: made.createdAt,
      accounts: one.accounts.map((input: object, i: number) => ({
        ...input,
        id: made.accounts[i].id,
        customerId: made.id,
        customerExternalId: one.externalId,
        walletAccountId: null,
        accountExternalId: null,
        customerName: null,
        createdAt: made.accounts[i].createdAt,
      })),
    })
    expect(body.customers[1]).toMatchObject({ ...two, accounts: [] })
    expect(body.customers[2].accounts).toEqual([])
    expect(peers.customers.get(made.id)?.externalId).toBe(one.externalId)
    expect(peers.accounts.get(made.accounts[1].id)).toMatchObject({ customerId: made.id, status: 'inactive' })
    expect((await service.get(`/participants/${body.id}`)).body).toEqual(body)
  })

  test('201 with an account under its customer, whatever its customerId says', async () => {
    const input = plain({ customers: [customer({ accounts: [account({ customerId: nobody })] })] })
    const { body } = await service.post('/participants', input)
    expect(body.customers[0].accounts[0].customerId).toBe(body.customers[0].id)
  })

  test('publishes an event without the key', async () => {
    const { body } = await service.post('/participants', plain({ customers: [customer()] }))
    const [event] = await service.eventsOf(body.id)
    expect(event).toMatchObject({ name: 'participant.participant.created', type: 'PARTICIPANT_CREATED' })
    expect(event?.data).toEqual({
      id: body.id,
      institutionName: 'First Bank',
      omnibusAccountId: null,
      feePayerAccountId: null,
      deletedAt: null,
      epoch: expect.any(Number),
      version: expect.any(Number),
    })
  })

  test('one request, one id: calls and events carry it', async () => {
    const { body } = await service.post('/participants', plain({ customers: [customer()] }), {
      'x-request-id': 'traced',
    })
    const [event] = await service.eventsOf(body.id)
    expect(event?.requestId).toBe('traced')
    expect(peers.server.requests.at(-1)?.headers.get('x-request-id')).toBe('traced')
  })

  test('201 and unknown fields are dropped', async () => {
    const { body } = await service.post(
      '/participants',
      plain({ id: nobody, deletedAt: '2000-01-01', omnibusAccountId: nobody }),
    )
    expect(body).toMatchObject({ deletedAt: null, omnibusAccountId: null })
    expect(body.id).not.toBe(nobody)
  })

  test('the key is stored hashed and encrypted, nowhere in plain text', async () => {
    const input = plain({ authConsumerId: 'sk_live_secret', customers: [customer()] })
    const { body } = await service.post('/participants', input, { 'idempotency-key': 'secret' })
    expect(body.authConsumerId).toBe('sk_live_secret')
    const rows = await service.store.read.select().from(participants)
    const row = rows.find(({ id }) => id === body.id)
    expect(row?.keyHash).toBe(new Bun.CryptoHasher('sha256').update('sk_live_secret').digest('hex'))
    const answers = await service.store.read.select().from(idempotencyKeys)
    expect(JSON.stringify([rows, answers])).not.toContain('sk_live_secret')
    const stored = await storedText(service)
    expect(stored.includes(body.id)).toBe(true)
    expect(stored.includes('sk_live_secret')).toBe(false)
  })
})

describe('POST /participants refuses with 409', () => {
  test('a key that another participant has', async () => {
    const { authConsumerId } = (await service.post('/participants', plain())).body
    const message = 'Another participant has this authConsumerId'
    expect(refused(await service.post('/participants', plain({ authConsumerId })), 409)).toEqual({
      code: 'CONFLICT',
      message,
    })
    expect(
      refused(await service.post('/participants', plain({ authConsumerId, customers: [customer()] })), 409).message,
    ).toBe(message)
  })

  test('all but one of 20 concurrent requests with one key', async () => {
    const authConsumerId = 'raced'
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.post('/participants', plain({ authConsumerId }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  })

  test('an externalId that another participant’s customer has; and creates nothing', async () => {
    const taken = customer()
    await service.post('/participants', plain({ customers: [taken] }))
    const before = peers.calls('POST', '/v1/')
    const input = plain({ customers: [customer(), taken] })
    expect(refused(await service.post('/participants', input), 409)).toEqual({
      code: 'CONFLICT',
      message: `A customer with externalId ${taken.externalId} already exists`,
    })
    expect(peers.calls('POST', '/v1/')).toBe(before)
    // Its key is free again.
    expect((await service.post('/participants', { ...input, customers: [] })).status).toBe(201)
  })

  test('an externalId that only the customer service knows; and creates nothing', async () => {
    const elsewhere = customer()
    await fetch(`${peers.url}/v1/customers`, {
      method: 'POST',
      body: JSON.stringify(elsewhere),
      headers: { 'idempotency-key': 'elsewhere' },
    })
    const before = peers.calls('POST', '/v1/')
    const input = plain({ customers: [customer(), elsewhere] })
    expect(refused(await service.post('/participants', input), 409).message).toBe(
      `A customer with externalId ${elsewhere.externalId} already exists`,
    )
    expect(peers.calls('POST', '/v1/')).toBe(before)
    const names = (await service.get('/participants?limit=100')).body.map((each: { id: string }) => each.id)
    expect(names).not.toContain(undefined)
    expect((await service.post('/participants', { ...input, customers: [] })).status).toBe(201)
  })
})

describe('POST /participants with an idempotency key', () => {
  test('repeated, it acts once and answers with the full key', async () => {
    for (const customers of [[], [customer({ accounts: [account()] })]]) {
      const input = plain({ customers })
      const headers = { 'idempotency-key': `k-${customers.length}` }
      const first = await service.post('/participants', input, headers)
      const before = peers.calls('POST', '/v1/')
      const second = await service.post('/participants', input, headers)
      expect([second.status, second.body]).toEqual([201, first.body])
      expect(second.headers.get('idempotent-replayed')).toBe('true')
      expect(peers.calls('POST', '/v1/')).toBe(before)
    }
  })

  test('and another body is 422', async () => {
    const headers = { 'x-idempotency-key': 'other-body' }
    await service.post('/participants', plain(), headers)
    expect(refused(await service.post('/participants', plain(), headers), 422).code).toBe('UNPROCESSABLE')
  })

  test('without one a repeat is 409', async () => {
    const input = plain({ customers: [customer()] })
    expect((await service.post('/participants', input)).status).toBe(201)
    expect(refused(await service.post('/participants', input), 409).code).toBe('CONFLICT')
  })
})

test('of several accounts with one type and name each is matched once: one more is created', async () => {
  const { externalId, status } = customer()
  const { id } = await service.create(
    '/participants',
    plain({ customers: [{ externalId, status, accounts: [account()] }] }),
  )
  const twice = { customers: [{ externalId, status, accounts: [account(), account()] }] }
  for (const answer of [
    await service.patch(`/participants/${id}`, twice),
    await service.patch(`/participants/${id}`, twice),
  ]) {
    expect(answer.body.customers[0].accounts.map(({ name }: { name: string }) => name)).toEqual(['Main', 'Main'])
  }
})
