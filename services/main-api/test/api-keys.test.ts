import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { fixedClock, type LocalServer, localServer } from '@bursar/testing'
import { storedText } from '@bursar/testing/service'
import { moved, registered } from './bodies'
import { nobody, openService, refused, type TestMainApi } from './harness'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const start = '2026-03-01T12:00:00.000Z'
const now = fixedClock(start)
/** Knows one participant that was made there, by this key. */
let participantService: LocalServer
const foreignKey = 'sk_test_made_elsewhere'
const liveKey = 'sk_live_made_elsewhere'
const keysThere = new Set([foreignKey, liveKey])
const hashOf = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex')

let service: TestMainApi
beforeAll(async () => {
  participantService = localServer((request) =>
    [...keysThere].some((key) => request.url.endsWith(hashOf(key)))
      ? Response.json({ id: nobody, omnibusAccountId: null, feePayerAccountId: null })
      : Response.json({ error: { code: 'NOT_FOUND', message: 'Participant not found' } }, { status: 404 }),
  )
  service = await openService({ now, urls: { participant: participantService.url } })
})
afterAll(async () => {
  await service.close()
  await participantService.stop()
})

let id: string
let own: Record<string, string>
beforeEach(async () => {
  now.set(start)
  id = (await registered(service)).id
  own = await service.asParticipant(id)
})

const issue = async (body: object = { expirationDate: 365 }, headers = own) =>
  (await service.create('/participants/api-key', body, headers)).data as {
    id: string
    apiKey: string
    createdAt: string
    expirationDate: string
  }
const withKey = async (apiKey: string, path = '/participants/detail') =>
  await service.get(path, { 'x-api-key': apiKey })
const byHash = async (key: string) =>
  await service.get(`/internal/api-keys/by-hash/${hashOf(key)}`, await service.asService('gateway'))
const askKeyState = async (of = id) =>
  await service.get(`/internal/participants/${of}/key-state`, await service.asService('gateway'))
const keyState = async () => (await askKeyState()).body

describe('POST /participants/api-key', () => {
  test('201 with the key, which is valid at once', async () => {
    const { status, body } = await service.post('/participants/api-key', { expirationDate: 30 }, own)
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: body.data.id,
        apiKey: expect.stringMatching(/^sk_test_[0-9A-Za-z]{43}$/),
        createdAt: start,
        expirationDate: '2026-03-31T12:00:00.000Z',
      },
    })
    expect((await withKey(body.data.apiKey)).body.id).toBe(id)
  })

  test('keys are unique; those of production say live', async () => {
    const keys = new Set<string>()
    for (let i = 0; i < 20; i++) keys.add((await issue()).apiKey)
    expect(keys.size).toBe(20)
    const production = await openService({ now, env: { ENVIRONMENT: 'production' } })
    const participant = await registered(production)
    const headers = await production.asParticipant(participant.id)
    const { data } = await production.create('/participants/api-key', { expirationDate: 1 }, headers)
    expect(data.apiKey).toStartWith('sk_live_')
    await production.close()
  })

  test.each([
    {},
    { expirationDate: '30' },
    { expirationDate: 0 },
    { expirationDate: 1.5 },
    { expirationDate: 3651 },
    { expirationDate: -1 },
    { expirationDate: null },
    { expirationDate: 1e300 },
  ])('400 for %j', async (body) => {
    const { message, details } = refused(await service.post('/participants/api-key', body, own), 400)
    expect(message).toStartWith('expirationDate must be')
    expect(details).toEqual([{ field: 'expirationDate', message }])
  })

  test('400 for invalid hours', async () => {
    for (const previousValidHours of [-1, 169, 0.5, '1']) {
      const answer = await service.post('/participants/api-key', { expirationDate: 1, previousValidHours }, own)
      expect(refused(answer, 400).message).toStartWith('previousValidHours must')
    }
  })

  test('201 for a key of some addresses, which are shown, and told to the gateway', async () => {
    const addresses = ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7']
    const [bound, free] = [await issue({ expirationDate: 1, addresses }), await issue()]
    const { body } = await service.get(`/participants/${id}/api-keys`)
    expect(body.data.map((key: { addresses: string[] | null }) => key.addresses)).toEqual([null, addresses])
    expect((await byHash(bound.apiKey)).body.addresses).toEqual(addresses)
    expect((await byHash(free.apiKey)).body.addresses).toBeNull()
  })

  test.each<[unknown, string]>([
    [[], 'addresses must'],
    [['10.0.0.0/33'], '"10.0.0.0/33" is neither an address nor a network such as 10.0.0.0/8'],
    [['2001:db8::/129'], '"2001:db8::/129" is neither'],
    [['10.0.0.1', 'bank.example'], '"bank.example" is neither'],
    [['10.0.0.0/'], '"10.0.0.0/" is neither'],
    [[''], 'addresses'],
    [['10.0.0.1/8/9'], '"10.0.0.1/8/9" is neither'],
    ['10.0.0.1', 'addresses must'],
    [[7], 'addresses'],
    [Array.from({ length: 51 }, () => '10.0.0.1'), 'addresses must'],
  ])('400 for the addresses %j', async (addresses, sentence) => {
    const answer = await service.post('/participants/api-key', { expirationDate: 1, addresses }, own)
    const { message, details } = refused(answer, 400)
    expect(message).toContain(sentence)
    expect(details).toEqual([expect.objectContaining({ field: expect.stringMatching(/^addresses/) })])
    expect((await service.get(`/participants/${id}/api-keys`)).body.data).toEqual([])
  })

  test('401 without a participant, 404 for one that has not registered, 409 for an offboarded one', async () => {
    const body = { expirationDate: 1 }
    expect(refused(await service.post('/participants/api-key', body), 401).code).toBe('UNAUTHORIZED')
    const unknown = await service.asParticipant(nobody)
    expect(refused(await service.post('/participants/api-key', body, unknown), 404).code).toBe('NOT_FOUND')
    await moved(service, id, 'OFFBOARDED')
    expect(refused(await service.post('/participants/api-key', body, own), 409).code).toBe('CONFLICT')
  })

  test('a repeat with its Idempotency-Key gets the same key, which is not in plain text in the database', async () => {
    const headers = { ...own, 'idempotency-key': 'key-1' }
    const [first, second] = [await issue({ expirationDate: 9 }, headers), await issue({ expirationDate: 9 }, headers)]
    expect(second).toEqual(first)
    const stored = await storedText(service)
    expect(stored).toContain(first.id)
    expect(stored).not.toContain(first.apiKey)
    expect(stored).not.toContain(first.apiKey.slice(8))
  })
})

describe('GET /participants/api-key', () => {
  test('200 with the newest key in full; 404 while there is none', async () => {
    expect(refused(await service.get('/participants/api-key', own), 404).message).toBe(
      'The participant has no API key yet',
    )
    await issue()
    const newest = await issue()
    expect((await service.get('/participants/api-key', own)).body).toEqual(newest)
    expect((await withKey(newest.apiKey, '/participants/api-key')).body).toEqual(newest)
    expect(refused(await service.get('/participants/api-key'), 401).code).toBe('UNAUTHORIZED')
  })
})

describe('how long a key is valid', () => {
  test('until its expiration, exclusively', async () => {
    const { apiKey, expirationDate } = await issue({ expirationDate: 1 })
    now.advance(dayMs - 1)
    expect((await withKey(apiKey)).status).toBe(200)
    expect((await byHash(apiKey)).body).toEqual({
      participantId: id,
      status: 'valid',
      validUntil: expirationDate,
      addresses: null,
    })
    now.advance(1)
    expect(refused(await withKey(apiKey), 401)).toEqual({
      code: 'INVALID_API_KEY',
      message: 'The API key in X-API-KEY is not valid',
    })
    expect((await byHash(apiKey)).body.status).toBe('expired')
  })

  test('a replaced key for 24 hours more, whatever follows', async () => {
    const first = await issue()
    now.advance(hourMs)
    const second = await issue()
    now.advance(hourMs)
    await issue()
    now.advance(23 * hourMs - 1)
    expect((await withKey(first.apiKey)).status).toBe(200)
    now.advance(1)
    expect(refused(await withKey(first.apiKey), 401).code).toBe('INVALID_API_KEY')
    const { status, validUntil } = (await byHash(first.apiKey)).body
    expect([status, validUntil]).toEqual(['revoked', '2026-03-02T13:00:00.000Z'])
    expect((await withKey(second.apiKey)).status).toBe(200)
  })

  test('a replaced key for the hours requested, or not at all', async () => {
    const first = await issue()
    const second = await issue({ expirationDate: 9, previousValidHours: 1 })
    now.advance(hourMs - 1)
    expect((await withKey(first.apiKey)).status).toBe(200)
    await issue({ expirationDate: 9, previousValidHours: 0 })
    for (const { apiKey } of [first, second]) expect(refused(await withKey(apiKey), 401).code).toBe('INVALID_API_KEY')
  })

  test('never longer than its own expiration', async () => {
    const first = await issue({ expirationDate: 1 })
    now.advance(dayMs - hourMs)
    await issue()
    expect((await byHash(first.apiKey)).body.validUntil).toBe(first.expirationDate)
    now.advance(hourMs)
    expect((await byHash(first.apiKey)).body.status).toBe('expired')
  })

  test('until the participant is offboarded', async () => {
    const { apiKey } = await issue()
    await moved(service, id, 'OFFBOARDED')
    expect(refused(await withKey(apiKey), 401).code).toBe('INVALID_API_KEY')
    expect((await byHash(apiKey)).body.status).toBe('revoked')
    expect(await keyState()).toEqual({ hasKey: false, issuedAt: null })
  })
})

describe('the owner of a key', () => {
  test('401 for a key of the other environment, and for an unknown one', async () => {
    expect(refused(await withKey(liveKey), 401).code).toBe('INVALID_API_KEY')
    expect(refused(await withKey('sk_test_unknown'), 401).code).toBe('INVALID_API_KEY')
  })

  test('a key made at the participant service is looked up there', async () => {
    expect(refused(await withKey(foreignKey), 404).message).toBe('Participant not found')
  })

  test('401 for a key issued here that has ended, whatever the participant service still says', async () => {
    const { apiKey } = await issue({ expirationDate: 1 })
    keysThere.add(apiKey)
    now.advance(dayMs)
    expect(refused(await withKey(apiKey), 401).code).toBe('INVALID_API_KEY')
  })

  test('503 while the participant service is unavailable', async () => {
    const alone = await openService()
    expect(refused(await alone.get('/participants/detail', { 'x-api-key': foreignKey }), 503).code).toBe(
      'SERVICE_UNAVAILABLE',
    )
    await alone.close()
  })

  test('the identity from the gateway comes before the key', async () => {
    const other = await registered(service)
    const { apiKey } = await issue()
    const headers = { ...(await service.asParticipant(other.id)), 'x-api-key': apiKey }
    expect((await service.get('/participants/detail', headers)).body.id).toBe(other.id)
  })
})

describe('the gateway’s call', () => {
  test('says whether a participant has a valid key', async () => {
    expect(await keyState()).toEqual({ hasKey: false, issuedAt: null })
    await issue({ expirationDate: 1 })
    expect(await keyState()).toEqual({ hasKey: true, issuedAt: start })
    now.advance(dayMs)
    expect(await keyState()).toEqual({ hasKey: false, issuedAt: null })
    // It was made at the participant service, with its key.
    expect(refused(await askKeyState(nobody), 404).code).toBe('NOT_FOUND')
  })

  test('404 for a key that was not issued here, 401 for other callers than services', async () => {
    expect(refused(await byHash(foreignKey), 404).code).toBe('NOT_FOUND')
    const path = `/internal/api-keys/by-hash/${hashOf(foreignKey)}`
    expect(refused(await service.get(path), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await service.get(path, own), 401).code).toBe('UNAUTHORIZED')
  })
})
