import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { AccountCreated, type AccountType } from '@bursar/contracts/account'
import { account, expectRising, notUuid, plain, refused, type TestParticipants, testParticipants } from './harness'

let service: TestParticipants
beforeAll(async () => {
  service = await testParticipants()
})
afterAll(() => service.close())

const newId = () => Bun.randomUUIDv7()
const newKey = () => `sk_test_${newId()}`

const admit = async (id: string, body: object, headers?: Record<string, string>) =>
  await service.ask('PUT', `/internal/participants/${id}`, body, headers ?? (await service.asService('main-api')))

/** Admits an institution and gives its id and body. */
async function admitted(fields: object = {}) {
  const id = newId()
  const body = { institutionName: 'Lakeside Payments', authConsumerId: newKey(), ...fields }
  const answer = await admit(id, body)
  expect([answer.status, answer.body]).toEqual([200, { id }])
  return { id, ...body }
}

const stored = async (id: string) => (await service.get(`/participants/${id}`)).body

describe('PUT /internal/participants/:id', () => {
  test('creates the participant under that id, as any other', async () => {
    const { id, institutionName, authConsumerId } = await admitted()
    expect(await stored(id)).toMatchObject({ id, institutionName, authConsumerId, customers: [], deletedAt: null })
    expect((await service.get('/participants?limit=100')).body.map((each: { id: string }) => each.id)).toContain(id)
    const events = await service.eventsOf(id)
    expect(events.map(({ name }) => name)).toEqual(['participant.participant.created'])
  })

  test('has the accounts that are known as its own already: the approval may come late, or be lost by a restore', async () => {
    const id = newId()
    const none = { customerId: null, customerExternalId: null, walletAccountId: null, accountExternalId: null }
    const told = async (type: AccountType, version: number) => {
      const createdAt = '2026-01-01T00:00:00.000Z'
      const own = { ...account({ type }), ...none, id: newId(), createdAt, customerName: null }
      const { name, type: eventType } = AccountCreated
      const data = { account: own, participantId: id, epoch: 0, version }
      const about = { id: newId(), name, type: eventType, timestamp: createdAt, requestId: null, service: 'account' }
      await service.consume({ ...about, data })
      return own.id
    }
    const own = { omnibusAccountId: await told('OMNIBUS', 1), feePayerAccountId: await told('FEE_PAYER', 2) }
    await admit(id, { institutionName: 'Lakeside Payments', authConsumerId: newKey() })
    expect(await stored(id)).toMatchObject(own)
    expect((await service.eventsOf(id)).map(({ data }) => data)).toMatchObject([own])
  })

  test('a repeat changes nothing', async () => {
    const { id, ...body } = await admitted()
    const before = await stored(id)
    expect((await admit(id, body)).status).toBe(200)
    expect(await stored(id)).toEqual(before)
    expect(await service.eventsOf(id)).toHaveLength(1)
  })

  test('takes over a new name and key, and keeps all else', async () => {
    const { id } = await admitted()
    await service.patch(`/participants/${id}`, { routerData: { bic: 'LAKEUS33' } })
    const changed = { institutionName: 'Lakeside Bank', authConsumerId: newKey() }
    expect((await admit(id, changed)).status).toBe(200)
    expect(await stored(id)).toMatchObject({ ...changed, routerData: { bic: 'LAKEUS33' } })
    const events = await service.eventsOf(id)
    expect(events.map(({ name }) => name.split('.').at(-1))).toEqual(['created', 'updated', 'updated'])
    expectRising(events)
  })

  test('the previous key finds the participant as well as the new one', async () => {
    const { id, institutionName, authConsumerId: before } = await admitted()
    const after = newKey()
    await admit(id, { institutionName, authConsumerId: after })
    const headers = await service.asService('main-api')
    const owner = (key: string) =>
      service.get(`/internal/participants/by-key/${new Bun.CryptoHasher('sha256').update(key).digest('hex')}`, headers)
    expect((await owner(before)).body.id).toBe(id)
    expect((await owner(after)).body.id).toBe(id)
  })

  test('409 for the key of another participant, at the first time and later', async () => {
    const other = await service.create('/participants', plain())
    const { authConsumerId } = other
    const message = 'Another participant has this authConsumerId'
    const body = { institutionName: 'Lakeside Payments', authConsumerId }
    const id = newId()
    expect(refused(await admit(id, body), 409)).toEqual({ code: 'CONFLICT', message })
    expect((await service.get(`/participants/${id}`)).status).toBe(404)
    const known = await admitted()
    expect(refused(await admit(known.id, body), 409).message).toBe(message)
    expect((await stored(known.id)).authConsumerId).toBe(known.authConsumerId)
  })

  test('404 for one that was deleted: it stays deleted, and its key is free', async () => {
    const { id, ...body } = await admitted()
    await service.del(`/participants/${id}`)
    expect(refused(await admit(id, body), 404).message).toBe('The participant was deleted')
    expect((await service.get(`/participants/${id}`)).status).toBe(404)
    await admitted({ authConsumerId: body.authConsumerId })
  })

  test('concurrent requests create it once', async () => {
    const id = newId()
    const body = { institutionName: 'Lakeside Payments', authConsumerId: newKey() }
    const answers = await Promise.all(Array.from({ length: 8 }, () => admit(id, body)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await service.eventsOf(id)).toHaveLength(1)
  })

  test('400 for what is missing, 400 for an id that is not a UUID, 401 for other callers', async () => {
    expect(refused(await admit(newId(), {}), 400).message).toBe(
      'institutionName should not be empty; authConsumerId should not be empty',
    )
    expect(refused(await admit('x', { institutionName: 'A', authConsumerId: 'b' }), 400)).toEqual(notUuid)
    const body = { institutionName: 'A', authConsumerId: 'b' }
    expect(refused(await admit(newId(), body, {}), 401).code).toBe('UNAUTHORIZED')
    const administrator = await service.as({ roles: ['admin'] })
    expect(refused(await admit(newId(), body, administrator), 401).code).toBe('UNAUTHORIZED')
  })
})
