// The owner of a customer that a participant creates: the customer service records it, the participant service follows.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CustomerState } from '@bursar/contracts/customer'
import { type LocalServer, localServer } from '@bursar/testing'
import { nobody, refused, type TestCustomers, testCustomers } from './harness'

const bank = Bun.randomUUIDv7()
const key = 'sk_test_of_the_bank'
const keyHash = new Bun.CryptoHasher('sha256').update(key).digest('hex')

/** A stub of the participant service that knows one key. */
let participants: LocalServer
let service: TestCustomers
beforeAll(async () => {
  participants = localServer(({ url }) =>
    url.endsWith(`/internal/participants/by-key/${keyHash}`)
      ? Response.json({ id: bank, omnibusAccountId: null, feePayerAccountId: null })
      : Response.json({ error: { code: 'NOT_FOUND', message: 'Not found' } }, { status: 404 }),
  )
  service = await testCustomers({ participant: participants.url })
})
afterAll(async () => {
  await service.close()
  await participants.stop()
})

let made = 0
const body = () => ({ externalId: `own-${++made}`, status: 'active' })
/** A customer's owner as other services see it: in the event, in its state, and in the changes. */
async function makersOf(id: string) {
  const headers = await service.asService('participant')
  const [created] = (await service.eventsOf(id)).map(({ data }) => data as CustomerState)
  const state = (await service.get(`/internal/customers/${id}`, headers)).body
  const changes = (await service.get('/internal/customers/changes', headers)).body.items
  const change = changes.find(({ record }: { record: { id: string } }) => record.id === id)
  return [created?.participantId, state.participantId, change.record.participantId]
}

describe('a customer created by a participant’s caller belongs to the participant', () => {
  test.each([
    ['an API key through the gateway', () => service.asParticipant(bank)],
    [
      'a user through the gateway',
      () => service.as({ kind: 'user', subject: nobody, participantId: bank, roles: ['participant-user'] }),
    ],
    ['an API key at the service itself', async () => ({ 'x-api-key': key })],
  ])('%s', async (_what, headers) => {
    const answer = await service.post('/customers', body(), await headers())
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([201, ['createdAt', 'externalId', 'id', 'status']])
    expect(await makersOf(answer.body.id)).toEqual([bank, bank, bank])
  })

  test('and still does when its status changes', async () => {
    const { id } = (await service.post('/customers', body(), await service.asParticipant(bank))).body
    await service.put(`/customers/${id}`, { status: 'suspended' })
    const states = (await service.eventsOf(id)).map(({ data }) => (data as CustomerState).participantId)
    expect(states).toEqual([bank, bank])
  })
})

test.each([
  ['nobody in particular', async () => ({})],
  ['staff', () => service.as({ kind: 'user', subject: nobody, roles: ['operator'] })],
  ['another service', () => service.asService('participant')],
])('a customer created by %s has no owner', async (_what, headers) => {
  const { id } = (await service.post('/customers', body(), await headers())).body
  expect(await makersOf(id)).toEqual([undefined, undefined, undefined])
})

test('an unknown key: 401, and nothing is created', async () => {
  const wanted = body()
  const answer = await service.post('/customers', wanted, { 'x-api-key': 'sk_test_of_nobody' })
  expect(refused(answer, 401).code).toBe('UNAUTHORIZED')
  expect((await service.post('/customers', wanted)).status).toBe(201)
})

test('a key that cannot be looked up: 503', async () => {
  const alone = await testCustomers()
  const answer = await alone.post('/customers', body(), { 'x-api-key': key })
  expect(refused(answer, 503).code).toBe('SERVICE_UNAVAILABLE')
  await alone.close()
})
