import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, notUuid, plain, refused, type TestParticipants, testParticipants } from './harness'

let service: TestParticipants
beforeAll(async () => {
  service = await testParticipants()
})
afterAll(() => service.close())

const participant = () => service.create('/participants', plain())

describe('GET /internal/participants/by-key/:keyHash', () => {
  const hash = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex')
  const byKey = async (key: string, headers?: Record<string, string>) =>
    service.get(`/internal/participants/by-key/${hash(key)}`, headers ?? (await service.as({ kind: 'service' })))

  test('200 with its owner', async () => {
    const { id, authConsumerId } = await participant()
    const { status, body } = await byKey(authConsumerId)
    expect([status, body]).toEqual([200, { id, omnibusAccountId: null, feePayerAccountId: null }])
  })

  test('404 for an unknown key, and a deleted participant’s, the one before a change of it too', async () => {
    const { id, authConsumerId } = await participant()
    expect(refused(await byKey('unknown'), 404).code).toBe('NOT_FOUND')
    await service.patch(`/participants/${id}`, { authConsumerId: 'changed' })
    expect((await byKey(authConsumerId)).body.id).toBe(id)
    await service.del(`/participants/${id}`)
    expect(refused(await byKey('changed'), 404).code).toBe('NOT_FOUND')
    expect(refused(await byKey(authConsumerId), 404).code).toBe('NOT_FOUND')
  })

  test('401 for other callers than services', async () => {
    expect(refused(await byKey('any', {}), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await byKey('any', await service.as({ roles: ['admin'] })), 401).code).toBe('UNAUTHORIZED')
  })
})

describe('GET /internal/participants/:id', () => {
  const state = async (id: string) => service.get(`/internal/participants/${id}`, await service.asService('main-api'))

  test('200 with the mark of its last state, also when it is deleted', async () => {
    const { id } = await participant()
    await service.patch(`/participants/${id}`, { institutionName: 'Second Bank' })
    expect(await state(id)).toMatchObject({ status: 200, body: (await service.eventsOf(id)).at(-1)?.data })
    await service.del(`/participants/${id}`)
    expect(await state(id)).toMatchObject({ status: 200, body: (await service.eventsOf(id)).at(-1)?.data })
  })

  test('404 for an unknown id, 400 for an id that is not a UUID, 401 for other callers', async () => {
    expect(refused(await state(nobody), 404).code).toBe('NOT_FOUND')
    expect(refused(await state('x'), 400)).toEqual(notUuid)
    expect(refused(await service.get(`/internal/participants/${nobody}`), 401).code).toBe('UNAUTHORIZED')
  })
})

describe('GET /internal/participants/changes', () => {
  test('200 with each participant once, deleted ones too, in the order of the last change; without their keys', async () => {
    const own = await testParticipants()
    const headers = await own.asService('main-api')
    const changes = async (after = 0) => (await own.get(`/internal/participants/changes?after=${after}`, headers)).body
    const add = () => own.create('/participants', plain({ authConsumerId: `sk_live_secret_${Bun.randomUUIDv7()}` }))
    const [a, b, c] = [await add(), await add(), await add()]
    await own.patch(`/participants/${a.id}`, { institutionName: 'Second Bank' })
    await own.del(`/participants/${b.id}`)
    const { epoch, items, more } = await changes()
    expect(items.map(({ record }: { record: { id: string } }) => record.id)).toEqual([c.id, a.id, b.id])
    expect(items.map(({ record }: { record: { deletedAt: string } }) => record.deletedAt !== null)).toEqual([
      false,
      false,
      true,
    ])
    expect(more).toBe(false)
    expect(JSON.stringify(items)).not.toContain('secret')
    expect((await changes(items[0].version)).items).toEqual(items.slice(1))
    const event = (await own.eventsOf(a.id)).at(-1)
    expect(event?.data).toEqual({ ...items[1].record, epoch, version: items[1].version })
    await own.close()
  })

  test('401 for other callers', async () => {
    expect(refused(await service.get('/internal/participants/changes'), 401).code).toBe('UNAUTHORIZED')
  })
})
