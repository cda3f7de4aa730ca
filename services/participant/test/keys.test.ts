// Each key that a participant was issued, or set, is valid until it expires; a new one leaves one that was set a day.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { fixedClock } from '@bursar/testing'
import { formerKeys } from '../src/api-keys/former-keys.table'
import { plain, refused, type TestParticipants, testParticipants } from './harness'

const hourMs = 60 * 60 * 1000
const start = '2026-03-01T12:00:00.000Z'
const now = fixedClock(start)
let service: TestParticipants
beforeEach(async () => {
  now.set(start)
  service = await testParticipants({}, { now })
})
afterEach(() => service.close())

const hashOf = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex')
const inHours = (hours: number) => new Date(now().getTime() + hours * hourMs).toISOString()
let keys = 0
const newKey = () => `sk_test_${++keys}`

/** The current owner of a key; null for none. */
async function ownerOf(key: string): Promise<string | null> {
  const path = `/internal/participants/by-key/${hashOf(key)}`
  const { status, body } = await service.get(path, await service.asService('wallet'))
  return status === 200 ? body.id : null
}
const admit = async (id: string, key: string, fields: object = {}) =>
  await service.ask(
    'PUT',
    `/internal/participants/${id}`,
    { institutionName: 'Lakeside Payments', authConsumerId: key, ...fields },
    await service.asService('main-api'),
  )
async function admitted(key: string, fields: object = {}): Promise<string> {
  const id = Bun.randomUUIDv7()
  expect((await admit(id, key, fields)).status).toBe(200)
  return id
}
const issued = (key: string, hours: number) => ({ keyHash: hashOf(key), validUntil: inHours(hours) })

describe('a replaced key', () => {
  test('is valid for another day if it was set, when a new one is issued', async () => {
    const { id, authConsumerId: set } = await service.create('/participants', plain())
    const key = newKey()
    await admit(id, key, { issued: [issued(key, 24 * 365)] })
    expect([await ownerOf(set), await ownerOf(key)]).toEqual([id, id])
    now.advance(24 * hourMs - 1)
    expect(await ownerOf(set)).toBe(id)
    now.advance(1)
    expect([await ownerOf(set), await ownerOf(key)]).toEqual([null, id])
  })

  test('is valid for as long as the one that is issued leaves it, if it was set', async () => {
    const { id, authConsumerId: set } = await service.create('/participants', plain())
    await admit(id, newKey(), { previousUntil: inHours(48) })
    now.advance(48 * hourMs - 1)
    expect(await ownerOf(set)).toBe(id)
    now.advance(1)
    expect(await ownerOf(set)).toBeNull()
  })

  test('is not valid beyond its own expiry, or the given one', async () => {
    const [first, second, third] = [newKey(), newKey(), newKey()]
    const id = await admitted(first, { issued: [issued(first, 2)] })
    await admit(id, second, { issued: [issued(second, 100)] })
    now.advance(2 * hourMs)
    expect([await ownerOf(first), await ownerOf(second)]).toEqual([null, id])
    await admit(id, third, { previousUntil: inHours(0), issued: [issued(third, 100)] })
    expect([await ownerOf(second), await ownerOf(third)]).toEqual([null, id])
  })

  test('is reserved until it expires: only its own participant may use it again', async () => {
    const { id, authConsumerId: first } = await service.create('/participants', plain())
    await service.patch(`/participants/${id}`, { authConsumerId: newKey() })
    expect(refused(await service.post('/participants', plain({ authConsumerId: first })), 409).code).toBe('CONFLICT')
    expect((await admit(Bun.randomUUIDv7(), first)).status).toBe(409)
    const again = await service.patch(`/participants/${id}`, { authConsumerId: first })
    expect([again.status, again.body.authConsumerId]).toEqual([200, first])
    now.advance(48 * hourMs)
    expect(await ownerOf(first)).toBe(id)
  })
})

describe('an issued key', () => {
  test('is valid until it expires, even without a successor', async () => {
    const key = newKey()
    const id = await admitted(key, { issued: [issued(key, 1)] })
    now.advance(hourMs - 1)
    expect(await ownerOf(key)).toBe(id)
    now.advance(1)
    expect(await ownerOf(key)).toBeNull()
  })

  test('older than the newest is known too', async () => {
    const [older, newest, ended] = [newKey(), newKey(), newKey()]
    const id = await admitted(newest, { issued: [issued(newest, 100), issued(older, 20), issued(ended, 0)] })
    expect(await Promise.all([older, newest, ended].map(ownerOf))).toEqual([id, id, null])
    now.advance(20 * hourMs)
    expect(await Promise.all([older, newest].map(ownerOf))).toEqual([null, id])
  })

  test('does not replace one that was set later', async () => {
    const [key, set] = [newKey(), newKey()]
    const id = await admitted(key, { issued: [issued(key, 1000)] })
    await service.patch(`/participants/${id}`, { authConsumerId: set })
    await admit(id, key, { institutionName: 'Another name', issued: [issued(key, 10)] })
    expect((await service.get(`/participants/${id}`)).body).toMatchObject({
      institutionName: 'Another name',
      authConsumerId: set,
    })
    now.advance(100 * hourMs)
    expect([await ownerOf(key), await ownerOf(set)]).toEqual([null, id])
  })

  test('does not replace one that was set days ago', async () => {
    const [key, set] = [newKey(), newKey()]
    const fields = { previousUntil: inHours(24), issued: [issued(key, 1000)] }
    const id = await admitted(key, fields)
    await service.patch(`/participants/${id}`, { authConsumerId: set })
    now.advance(72 * hourMs)
    // The main API repeats its newest key with each new name.
    await admit(id, key, { ...fields, institutionName: 'Another name' })
    expect((await service.get(`/participants/${id}`)).body.authConsumerId).toBe(set)
    expect(await Promise.all([key, set].map(ownerOf))).toEqual([id, id])
  })

  test('is valid beside those that are set, until it expires', async () => {
    const [older, key] = [newKey(), newKey()]
    const id = await admitted(key, { issued: [issued(key, 100), issued(older, 50)] })
    for (const set of [newKey(), newKey()]) await service.patch(`/participants/${id}`, { authConsumerId: set })
    now.advance(49 * hourMs)
    expect(await Promise.all([older, key].map(ownerOf))).toEqual([id, id])
    now.advance(hourMs)
    expect(await Promise.all([older, key].map(ownerOf))).toEqual([null, id])
    now.advance(50 * hourMs)
    expect(await ownerOf(key)).toBeNull()
  })

  test('has its own end also when those that were set end earlier', async () => {
    const [former, key] = [newKey(), newKey()]
    const { id, authConsumerId: set } = await service.create('/participants', plain())
    await admit(id, former, { previousUntil: inHours(48), issued: [issued(former, 100)] })
    await admit(id, key, { previousUntil: inHours(0), issued: [issued(key, 100), issued(former, 24)] })
    expect(await Promise.all([set, former, key].map(ownerOf))).toEqual([null, id, id])
    now.advance(24 * hourMs)
    expect(await Promise.all([former, key].map(ownerOf))).toEqual([null, id])
  })

  test('of another participant stays its own', async () => {
    const key = newKey()
    const id = await admitted(key)
    await admitted(newKey(), { issued: [issued(key, 10)] })
    expect(await ownerOf(key)).toBe(id)
    now.advance(10 * hourMs)
    expect(await ownerOf(key)).toBe(id)
  })
})

test('a former key of a participant that was deleted is free at once, also for an issued one of another', async () => {
  const [former, present] = [newKey(), newKey()]
  const gone = await admitted(former)
  await service.patch(`/participants/${gone}`, { authConsumerId: present })
  const other = await admitted(newKey())
  await service.del(`/participants/${gone}`)
  await admit(other, former, { previousUntil: inHours(0) })
  expect((await service.get(`/participants/${other}`)).body.authConsumerId).toBe(former)
})

describe('a placeholder', () => {
  test('is the only key of a new participant', async () => {
    const { id, authConsumerId: set } = await service.create('/participants', plain())
    await admit(id, newKey(), { isPlaceholder: true })
    expect((await service.get(`/participants/${id}`)).body.authConsumerId).toBe(set)
    const placeholder = newKey()
    const other = await admitted(placeholder, { isPlaceholder: true })
    expect(await ownerOf(placeholder)).toBe(other)
  })

  test('that ends the earlier keys ends them all', async () => {
    const [older, newest] = [newKey(), newKey()]
    const id = await admitted(newest, { issued: [issued(newest, 100), issued(older, 20)] })
    await admit(id, newKey(), { isPlaceholder: true, previousUntil: inHours(0) })
    expect(await Promise.all([older, newest].map(ownerOf))).toEqual([null, null])
  })
})

test('expired keys are deleted', async () => {
  const id = await admitted(newKey())
  for (let i = 0; i < 5; i++) {
    await admit(id, newKey())
    now.advance(25 * hourMs)
  }
  expect(await service.store.read.$count(formerKeys)).toBe(1)
})
