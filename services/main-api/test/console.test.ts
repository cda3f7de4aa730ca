import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fixedClock } from '@bursar/testing'
import { bank, moved, registered } from './bodies'
import { nobody, openService, refused, type TestMainApi, uuidExpected } from './harness'
import { peerFailures, startPeers } from './stand-ins'

const now = fixedClock('2026-03-01T12:00:00.000Z')
const peers = startPeers()
let service: TestMainApi
beforeAll(async () => {
  service = await openService({ now, urls: { 'transaction-manager': peers.url, 'identity-manager': peers.url } })
})
afterAll(async () => {
  await service.close()
  await peers.server.stop()
})

describe('GET /admin/pfi/:id/history', () => {
  test('200 with each change, who made it and why, oldest first', async () => {
    const { id } = await registered(service)
    expect((await service.get(`/admin/pfi/${id}/history`)).body).toEqual([])
    const body = { status: 'UNDER_REVIEW', comments: 'Documents are complete.\nScreening is next.' }
    await service.put(`/admin/pfi/${id}/status`, body, await service.as({ kind: 'user', subject: 'reviewer-1' }))
    await service.put(`/admin/pfi/${id}/status`, { status: 'APPROVED' }, await service.asService('gateway'))
    await moved(service, id, 'PAUSED')
    const entry = (from: string, to: string, reason: string | null, actor: object | null) => {
      return { field: 'status', from, to, reason, actor, at: now().toISOString() }
    }
    expect((await service.get(`/admin/pfi/${id}/history`)).body).toEqual([
      entry('NOT_STARTED', 'UNDER_REVIEW', body.comments, { kind: 'user', id: 'reviewer-1' }),
      entry('UNDER_REVIEW', 'APPROVED', null, { kind: 'service', id: 'gateway' }),
      entry('APPROVED', 'PAUSED', null, null),
    ])
  })

  test('400 for an id that is not a UUID, 404 for an unknown participant', async () => {
    expect(refused(await service.get('/admin/pfi/x/history'), 400).message).toBe(uuidExpected)
    expect(refused(await service.get(`/admin/pfi/${nobody}/history`), 404).message).toBe('Participant not found')
  })
})

describe('GET /admin/pfi', () => {
  test('order=desc gives the newest first', async () => {
    const search = 'Ordered'
    for (const name of ['Ordered A', 'Ordered B']) await registered(service, { name })
    const names = async (order: string) =>
      (await service.get(`/admin/pfi?search=${search}${order}`)).body.data.map(({ name }: { name: string }) => name)
    expect(await names('')).toEqual(['Ordered A', 'Ordered B'])
    expect(await names('&order=desc')).toEqual(['Ordered B', 'Ordered A'])
    expect(refused(await service.get('/admin/pfi?order=up'), 400).message).toStartWith('order must be one of')
  })
})

describe('GET /participants/:id/api-key', () => {
  test('200 about the newest key, without the key itself', async () => {
    const { id } = await registered(service)
    const participant = await service.asParticipant(id)
    await service.create('/participants/api-key', { expirationDate: 10 }, participant)
    const { data } = await service.create('/participants/api-key', { expirationDate: 365 }, participant)
    const { status, body } = await service.get(`/participants/${id}/api-key`)
    expect([status, body]).toEqual([
      200,
      {
        id: data.id,
        masked: `sk_test_…${data.apiKey.slice(-4)}`,
        status: 'valid',
        createdAt: now().toISOString(),
        expirationDate: data.expirationDate,
        validUntil: data.expirationDate,
        addresses: null,
      },
    ])
    await moved(service, id, 'OFFBOARDED')
    expect((await service.get(`/participants/${id}/api-key`)).body).toMatchObject({
      status: 'revoked',
      validUntil: now().toISOString(),
    })
  })

  test('404 while there is none, 400 for an id that is not a UUID', async () => {
    const { id } = await registered(service)
    expect(refused(await service.get(`/participants/${id}/api-key`), 404).message).toContain('no API key')
    expect(refused(await service.get('/participants/x/api-key'), 400).message).toBe(uuidExpected)
  })
})

describe('GET /participants/:id/api-keys', () => {
  test('200 with its keys, masked, the newest first, and until when each is valid', async () => {
    const { id } = await registered(service)
    expect((await service.get(`/participants/${id}/api-keys`)).body).toEqual({ data: [] })
    const participant = await service.asParticipant(id)
    const first = await service.create('/participants/api-key', { expirationDate: 10 }, participant)
    const second = await service.create('/participants/api-key', { expirationDate: 365 }, participant)
    const masked = ({ data }: typeof first) => `sk_test_…${data.apiKey.slice(-4)}`
    const { status, body } = await service.get(`/participants/${id}/api-keys`)
    expect([status, body.data]).toMatchObject([
      200,
      [
        {
          id: second.data.id,
          masked: masked(second),
          status: 'valid',
          validUntil: second.data.expirationDate,
          addresses: null,
        },
        {
          id: first.data.id,
          masked: masked(first),
          status: 'valid',
          validUntil: '2026-03-02T12:00:00.000Z',
          addresses: null,
        },
      ],
    ])
    expect(JSON.stringify(body)).not.toContain(second.data.apiKey)
    await moved(service, id, 'OFFBOARDED')
    const { data } = (await service.get(`/participants/${id}/api-keys`)).body
    expect(data.map(({ status }: { status: string }) => status)).toEqual(['revoked', 'revoked'])
  })

  test('at most 20, and none of another participant', async () => {
    const [{ id }, other] = [await registered(service), await registered(service)]
    const participant = await service.asParticipant(id)
    for (let i = 0; i < 21; i++) await service.create('/participants/api-key', { expirationDate: 1 }, participant)
    expect((await service.get(`/participants/${id}/api-keys`)).body.data).toHaveLength(20)
    expect((await service.get(`/participants/${other.id}/api-keys`)).body).toEqual({ data: [] })
  })

  test('400 for an id that is not a UUID', async () => {
    expect(refused(await service.get('/participants/x/api-keys'), 400).message).toBe(uuidExpected)
  })
})

describe('GET /participants/:id/credit-line', () => {
  test('200 with those of this participant', async () => {
    const { id } = await registered(service)
    const line = { participantId: id, currency: 'USD', limit: '500', used: '20.5', available: '479.5', expiresAt: null }
    peers.creditLines.push(line, { ...line, participantId: nobody })
    const { status, body } = await service.get(`/participants/${id}/credit-line`)
    expect([status, body]).toEqual([200, { data: [line] }])
  })

  test('404 for an unknown participant, 400 for an id that is not a UUID', async () => {
    expect(refused(await service.get(`/participants/${nobody}/credit-line`), 404).message).toBe('Participant not found')
    expect(refused(await service.get('/participants/x/credit-line'), 400).message).toBe(uuidExpected)
  })

  test.each(peerFailures)('%s', async (_what, fault, status, code) => {
    const { id } = await registered(service)
    peers.fault(fault)
    const ask = () => service.get(`/participants/${id}/credit-line`)
    expect(refused(await service.impatiently(ask, status === 504), status).code).toBe(code)
    peers.fault(null)
  })
})

describe('GET /participants/:id/users', () => {
  test('200 with those of this participant, asked for by page', async () => {
    const { id } = await registered(service)
    const at = now().toISOString()
    const fields = { status: 'ACTIVE', roles: ['participant-admin'], custodianId: null, createdAt: at, updatedAt: at }
    const user = { id: Bun.randomUUIDv7(), email: 'a@b.example', name: 'Ada', participantId: id, ...fields }
    peers.users.set(user.id, user)
    const { status, body } = await service.get(`/participants/${id}/users?limit=5`)
    expect([status, body]).toEqual([200, { data: [user], pageInfo: { limit: 5, offset: 0, total: 1 } }])
    const asked = peers.server.requests.filter(({ path }) => path.includes(id))
    expect(asked.map(({ path }) => path)).toEqual([`/internal/users?limit=5&offset=0&participantId=${id}`])
  })

  test.each(peerFailures)('%s', async (_what, fault, status, code) => {
    peers.fault(fault)
    const ask = () => service.get(`/participants/${nobody}/users`)
    expect(refused(await service.impatiently(ask, status === 504), status).code).toBe(code)
    peers.fault(null)
  })
})

describe('GET /internal/search', () => {
  const hits = async (query: Record<string, string>) => {
    const path = `/internal/search?${new URLSearchParams(query)}`
    const { status, body } = await service.get(path, await service.asService('gateway'))
    expect(status).toBe(200)
    return body
  }
  const titles = async (query: Record<string, string>) =>
    (await hits(query)).map(({ title }: { title: string }) => title)

  test('200 by the id, the registration number, or the beginning of the name; each once', async () => {
    const { id } = await registered(service, { name: 'Vista Pay', registrationNumber: 'Vista 77', country: 'NO' })
    await registered(service, { name: 'VISTA Two' })
    const hit = {
      kind: 'participant',
      id,
      title: 'Vista Pay',
      detail: 'Institution · NO · Vista 77',
      status: 'NOT_STARTED',
      at: now().toISOString(),
    }
    expect(await hits({ q: id.toUpperCase() })).toEqual([hit])
    expect(await hits({ q: 'Vista 77' })).toEqual([hit])
    expect(await titles({ q: 'vista' })).toEqual(['Vista Pay', 'VISTA Two'])
    expect(await titles({ q: 'pay' })).toEqual([])
    expect(await titles({ q: nobody })).toEqual([])
    expect(await titles({ q: 'vista', participantId: id })).toEqual(['Vista Pay'])
    expect(await titles({ q: 'vista', participantId: nobody })).toEqual([])
  })

  test('a participant finds itself behind others of its name, by its id and by its registration number', async () => {
    for (let n = 0; n < 6; n++) await registered(service, { name: `Crowd ${n}` })
    const { id } = await registered(service, { name: 'Crowd Ｚ', registrationNumber: 'Crowd 77' })
    for (const q of ['crowd', 'CROWD Z', 'Crowd 77', id.toUpperCase()]) {
      expect(await titles({ q, participantId: id.toUpperCase() })).toEqual(['Crowd Ｚ'])
    }
    for (const q of ['crowd 1', 'rowd', 'crowd 77']) expect(await titles({ q, participantId: id })).toEqual([])
  })

  test('200 with custodian banks, which participants do not find', async () => {
    const { id } = await service.create('/admin/custodian-bank', bank({ name: 'Quartz Trust' }))
    const detail = 'Custodian bank · US'
    const hit = { kind: 'custodian', id, title: 'Quartz Trust', detail, status: 'ACTIVE', at: now().toISOString() }
    expect(await hits({ q: 'quartz' })).toEqual([hit])
    expect(await hits({ q: id })).toEqual([hit])
    expect(await hits({ q: 'quartz', participantId: nobody })).toEqual([])
    await service.del(`/admin/custodian-bank/${id}`)
    expect(await hits({ q: 'quartz' })).toEqual([])
  })

  test('401 for other callers', async () => {
    expect(refused(await service.get('/internal/search?q=x'), 401).code).toBe('UNAUTHORIZED')
  })
})
