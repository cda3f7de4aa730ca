import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, refused, type TestAccounts, testAccounts } from './harness'
import { failures, type Peer, startPeer } from './peers'

let participants: Peer
let service: TestAccounts
beforeAll(async () => {
  participants = startPeer()
  service = await testAccounts({ participant: participants.server.url })
})
afterAll(async () => {
  await service.close()
  await participants.server.stop()
})

/** A participant with an API key, as the participant service knows it. */
const withKey = (key: string) => {
  const id = Bun.randomUUIDv7()
  const hash = new Bun.CryptoHasher('sha256').update(key).digest('hex')
  const answer = { id, omnibusAccountId: null, feePayerAccountId: null }
  participants.answers.set(`GET /internal/participants/by-key/${hash}`, answer)
  return id
}

describe.each([
  ['omnibus', 'OMNIBUS', 'Omnibus account'],
  ['fee-payer', 'FEE_PAYER', 'Fee payer account'],
])('GET /accounts/%s', (path, type, name) => {
  const get = (headers?: Record<string, string>) => service.get(`/accounts/${path}`, headers)

  test('200 with an account that the first call creates, published as the participant’s', async () => {
    const participantId = Bun.randomUUIDv7()
    const { status, body } = await get(await service.asParticipant(participantId))
    expect(status).toBe(200)
    expect(body).toEqual({
      id: body.id,
      customerId: null,
      customerExternalId: null,
      walletAccountId: null,
      accountExternalId: null,
      type,
      status: 'active',
      name,
      customerName: null,
      createdAt: body.createdAt,
    })
    const [event] = await service.eventsOf(body.id)
    expect(event).toMatchObject({ name: 'account.account.created', data: { account: body, participantId } })
    expect((await get(await service.asParticipant(participantId))).body).toEqual(body)
    expect((await service.get(`/accounts/${body.id}`)).body).toEqual(body)
  })

  test('403 for a paused participant that has none, 200 for one that has', async () => {
    const participantId = Bun.randomUUIDv7()
    const paused = await service.as({ kind: 'participant', subject: participantId, participantId, isPaused: true })
    expect(refused(await get(paused), 403).code).toBe('INSTITUTION_PAUSED')
    const made = await get(await service.asParticipant(participantId))
    expect([made.status, (await get(paused)).body]).toEqual([200, made.body])
  })

  test('200 with the same account by API key', async () => {
    const participantId = withKey(`sk_live_${path}`)
    const { status, body } = await get({ 'x-api-key': `sk_live_${path}` })
    expect(status).toBe(200)
    expect((await get(await service.asParticipant(participantId))).body).toEqual(body)
  })

  test('the participant found by the gateway takes precedence over the key', async () => {
    const participantId = Bun.randomUUIDv7()
    const mine = await service.asParticipant(participantId)
    withKey(`other-${path}`)
    const { body } = await get({ ...mine, 'x-api-key': `other-${path}` })
    expect((await get(mine)).body).toEqual(body)
    expect((await get({ 'x-api-key': `other-${path}` })).body.id).not.toBe(body.id)
  })

  test('50 concurrent calls create one', async () => {
    const mine = await service.asParticipant(Bun.randomUUIDv7())
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(mine)))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  test('200 with the account whatever its status', async () => {
    const mine = await service.asParticipant(Bun.randomUUIDv7())
    const { body } = await get(mine)
    await service.put(`/accounts/${body.id}`, { status: 'suspended' })
    expect((await get(mine)).body).toEqual({ ...body, status: 'suspended' })
  })

  test('401 when no participant is found in the request', async () => {
    const message = 'No participant is found in the request: send its API key in X-API-KEY'
    expect(refused(await get(), 401)).toEqual({ code: 'UNAUTHORIZED', message })
    expect(refused(await get({ 'x-identity': 'a.b.c' }), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await get(await service.asService('wallet')), 401).message).toBe(message)
    expect(refused(await get({ 'x-api-key': 'unknown' }), 401)).toEqual({
      code: 'UNAUTHORIZED',
      message: 'The API key in X-API-KEY belongs to no participant',
    })
  })

  test.each(failures)('%s', async (_what, how, status, code) => {
    participants.fail(how)
    const ask = () => get({ 'x-api-key': 'any' })
    expect(refused(await service.impatiently(ask, status === 504), status).code).toBe(code)
    participants.fail(null)
  })

  test('the name is not an id: 405 for POST, 400 for PUT', async () => {
    expect(refused(await service.ask('POST', `/accounts/${path}`, {}), 405).code).toBe('METHOD_NOT_ALLOWED')
    expect(refused(await service.put(`/accounts/${path}`, { status: 'active' }), 400).code).toBe('INVALID_REQUEST')
  })
})

test('a participant has one account of each type', async () => {
  const mine = await service.asParticipant(nobody)
  const omnibus = await service.get('/accounts/omnibus', mine)
  const feePayer = await service.get('/accounts/fee-payer', mine)
  expect(omnibus.body.id).not.toBe(feePayer.body.id)
})
