import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SessionRevoked } from '@bursar/contracts/identity-manager'
import { fixedClock } from '@bursar/testing'
import { sweep } from '../src/sweep'
import { nobody, openService, refused, type TestIdentityManager, uuidExpected } from './harness'
import { claimsOf, notValid, sessionCalls } from './session-calls'

const clock = fixedClock('2026-03-01T12:00:00.000Z')
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
let service: TestIdentityManager
beforeAll(async () => {
  service = await openService({ now: clock })
})
afterAll(() => service.close())

const { logIn, refresh, refusal, revocations } = sessionCalls(() => service)

describe('GET /users/sessions', () => {
  const list = (headers: Record<string, string>, query = '') => service.get(`/users/sessions${query}`, headers)

  test('200 with the caller’s own, oldest first', async () => {
    const member = await service.member()
    const headers = await service.asUser(member)
    const anonymous = {
      ...(await service.as({ kind: 'anonymous', subject: '203.0.113.9' })),
      'user-agent': 'Fire\tfox',
    }
    const one = await service.post('/auth/login', { email: member.email, password: member.password }, anonymous)
    const two = await logIn(member)
    await logIn()
    const { status, body } = await list(headers)
    expect(status).toBe(200)
    const [first, second] = body.data
    expect(body.data).toHaveLength(2)
    expect(first).toEqual({
      id: claimsOf(one.body.data.accessToken).sid,
      userId: member.id,
      createdAt: clock().toISOString(),
      lastUsedAt: clock().toISOString(),
      expiresAt: new Date(clock().getTime() + 30 * dayMs).toISOString(),
      address: '203.0.113.9',
      userAgent: 'Firefox',
    })
    expect(second).toMatchObject({ id: two.sid, address: '127.0.0.1', userAgent: null })
  })

  test('200 without those that ended, or whose time is over', async () => {
    const member = await service.member()
    await logIn(member)
    clock.advance(31 * dayMs)
    await service.post('/auth/logout', await logIn(member))
    const { sid } = await logIn(member)
    const { body } = await list(await service.asUser(member))
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([sid])
  })

  test('200 with those of a user that the caller may change, 404 for others', async () => {
    const participantId = Bun.randomUUIDv7()
    const member = await service.member({ participantId })
    const { sid } = await logIn(member)
    const query = `?userId=${member.id.toUpperCase()}`
    for (const caller of [
      { id: nobody, participantId, roles: ['participant-admin'] },
      { id: nobody, roles: ['admin'] },
    ]) {
      const { status, body } = await list(await service.asUser(caller), query)
      expect([status, body.data.map(({ id }: { id: string }) => id)]).toEqual([200, [sid]])
    }
    for (const caller of [
      { id: nobody, participantId: Bun.randomUUIDv7(), roles: ['participant-admin'] },
      { id: nobody, roles: ['viewer'] },
    ]) {
      expect(refused(await list(await service.asUser(caller), query), 404).code).toBe('NOT_FOUND')
    }
  })

  test('401 without a user, 400 for what is no user id', async () => {
    expect(refused(await list({}), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await list(await service.asParticipant(nobody)), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await list({}, '?userId=x'), 400).message).toBe('userId must be a UUID')
  })

  test('a user has fifty at most: the oldest one ends', async () => {
    const member = await service.member()
    const first = await logIn(member)
    for (let i = 0; i < 50; i++) await logIn(member)
    const { body } = await list(await service.asUser(member))
    expect(body.data).toHaveLength(50)
    expect((await revocations()).has(first.sid)).toBe(true)
    expect(await refusal(first.refreshToken)).toEqual(notValid)
  })
})

describe('DELETE /users/sessions/:id', () => {
  test('200, and the session has ended', async () => {
    const member = await service.member()
    const { sid, refreshToken } = await logIn(member)
    const { status, body } = await service.del(`/users/sessions/${sid}`, await service.asUser(member))
    expect([status, body]).toEqual([200, { success: true, message: 'Session ended' }])
    expect(await refusal(refreshToken)).toEqual(notValid)
    expect((await revocations()).has(sid)).toBe(true)
  })

  test('404 for another’s, for one that has ended and for one that there is not', async () => {
    const member = await service.member()
    const { sid, refreshToken } = await logIn(member)
    const stranger = await service.asUser({ id: nobody, roles: ['viewer'] })
    expect(refused(await service.del(`/users/sessions/${sid}`, stranger), 404).code).toBe('NOT_FOUND')
    expect((await refresh(refreshToken)).status).toBe(200)
    const own = await service.asUser(member)
    await service.del(`/users/sessions/${sid}`, own)
    expect(refused(await service.del(`/users/sessions/${sid}`, own), 404).message).toBe('Session not found')
    expect(refused(await service.del(`/users/sessions/${nobody}`, own), 404).message).toBe('Session not found')
  })

  test('400 for an id that is not a UUID, 401 for a caller whom the gateway does not know', async () => {
    expect(refused(await service.del('/users/sessions/x'), 400).message).toBe(uuidExpected)
    const anonymous = await service.as({ kind: 'anonymous', subject: '203.0.113.9' })
    expect(refused(await service.del(`/users/sessions/${nobody}`, anonymous), 401).code).toBe('UNAUTHORIZED')
  })
})

describe('what ends all sessions of a user', () => {
  test.each([
    ['another role', (id: string) => service.put(`/internal/users/${id}`, { roleIds: [viewer] }, asMain)],
    ['another status', (id: string) => service.put(`/users/${id}`, { status: 'DISABLED' })],
    ['its deletion', (id: string) => service.del(`/users/${id}`)],
  ])('%s', async (_what, act) => {
    asMain = await service.asService('main-api')
    const member = await service.member()
    const sessions = [await logIn(member), await logIn(member)]
    expect((await act(member.id)).status).toBe(200)
    const revoked = await revocations()
    for (const { sid, refreshToken } of sessions) {
      expect(await refusal(refreshToken)).toEqual(notValid)
      expect(revoked.get(sid)).toMatchObject({ userId: member.id })
    }
  })
  let asMain: Record<string, string>
  const viewer = '01900000-0000-7000-a000-000000000003'

  test('another name does not, nor the status and role that it has', async () => {
    const member = await service.member()
    const { refreshToken } = await logIn(member)
    await service.put(`/users/${member.id}`, { name: 'Other', status: 'ACTIVE', roleId: viewer.replace(/3$/, '2') })
    expect((await refresh(refreshToken)).status).toBe(200)
  })
})

describe('revocations', () => {
  test('each is announced, as it stands in the list that the gateway pulls', async () => {
    const { sid, refreshToken } = await logIn()
    await service.post('/auth/logout', { refreshToken })
    const announced = (await service.events()).filter(({ name }) => name === SessionRevoked.name)
    const event = announced.find(({ data }) => (data as { id: string }).id === sid)
    const { body } = await service.get('/internal/revocations/changes', await service.asService('gateway'))
    const item = body.items.find(({ record }: { record: { id: string } }) => record.id === sid)
    expect(event?.data).toEqual({ ...item.record, epoch: body.epoch, version: item.version })
    expect(announced).toHaveLength((await revocations()).size)
  })

  test('last as long as the access tokens, also those of a clock that was ahead', async () => {
    const { sid, refreshToken } = await logIn()
    clock.advance(2 * 60 * minuteMs)
    const { accessToken } = (await refresh(refreshToken)).body.data
    clock.advance(-2 * 60 * minuteMs)
    await service.post('/auth/logout', { refreshToken })
    const until = Date.parse((await revocations()).get(sid)?.until ?? '')
    expect(Math.floor(until / 1000)).toBe(claimsOf(accessToken).exp)
  })

  test('are forgotten a day after the last access token, and no earlier', async () => {
    const clock = fixedClock('2026-03-01T12:00:00.000Z')
    const own = await openService({ now: clock })
    const calls = sessionCalls(() => own)
    const ended = await Promise.all(Array.from({ length: 3 }, () => calls.logIn()))
    for (const { refreshToken } of ended) await own.post('/auth/logout', { refreshToken })
    clock.advance(dayMs + 15 * minuteMs)
    await sweep(own.deps)
    expect((await calls.revocations()).size).toBe(3)
    const last = await calls.logIn()
    await own.post('/auth/logout', last)
    clock.advance(1)
    await sweep(own.deps)
    expect([...(await calls.revocations()).keys()]).toEqual([last.sid])
    await own.close()
  })

  test('401 for whoever is no service, 400 for an invalid version', async () => {
    expect(refused(await service.get('/internal/revocations/changes'), 401).code).toBe('UNAUTHORIZED')
    const headers = await service.asService('gateway')
    expect(refused(await service.get('/internal/revocations/changes?after=x', headers), 400).code).toBe(
      'INVALID_REQUEST',
    )
  })
})
