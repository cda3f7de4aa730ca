import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fixedClock } from '@bursar/testing'
import { getUser, storeUser } from '../src/users/users'
import { openService, refused, type TestIdentityManager } from './harness'
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

describe('POST /auth/refresh', () => {
  test('401 for a user that may not log in, although its session was never ended', async () => {
    const member = await service.member()
    const { refreshToken } = await logIn(member)
    await service.store.commit(async (tx) => {
      const row = await getUser(tx, member.id)
      await storeUser(tx, { ...row, status: 'DISABLED' })
    })
    expect(await refusal(refreshToken)).toEqual(notValid)
  })

  test('200 with other tokens of the same session, and the current user', async () => {
    const member = await service.member()
    const first = await logIn(member)
    await service.put(`/users/${member.id}`, { name: 'Another Name' })
    clock.advance(minuteMs)
    const { status, body } = await refresh(first.refreshToken)
    expect(status).toBe(200)
    expect(body.data.user).toEqual({ id: member.id, email: member.email, name: 'Another Name', roles: ['operator'] })
    expect(body.data.refreshToken).not.toBe(first.refreshToken)
    const [before, after] = [claimsOf(first.accessToken), claimsOf(body.data.accessToken)]
    expect(after).toEqual({ ...before, iat: before.iat + 60, exp: before.exp + 60 })
  })

  test('a retry within ten seconds gets the same successor, since the answer may have been lost', async () => {
    const { refreshToken, sid } = await logIn()
    const first = await refresh(refreshToken)
    clock.advance(10_000)
    const again = await refresh(refreshToken)
    expect([again.status, again.body.data.refreshToken]).toEqual([200, first.body.data.refreshToken])
    expect((await refresh(first.body.data.refreshToken)).status).toBe(200)
    expect((await revocations()).has(sid)).toBe(false)
  })

  test('of twenty at once, all get the same successor', async () => {
    const { refreshToken } = await logIn()
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)))
    expect(new Set(answers.map(({ body }) => body.data.refreshToken)).size).toBe(1)
  })

  test('401 for a token that was used longer ago, and its session ends with all its tokens', async () => {
    const { refreshToken, sid } = await logIn()
    const next = (await refresh(refreshToken)).body.data.refreshToken
    clock.advance(10_001)
    expect(await refusal(refreshToken)).toEqual(notValid)
    expect(await refusal(next)).toEqual(notValid)
    expect((await revocations()).has(sid)).toBe(true)
  })

  test('401 for a token whose successor was used, however soon', async () => {
    const { refreshToken, sid } = await logIn()
    const next = (await refresh(refreshToken)).body.data.refreshToken
    const last = (await refresh(next)).body.data.refreshToken
    expect(await refusal(refreshToken)).toEqual(notValid)
    expect(await refusal(last)).toEqual(notValid)
    expect((await revocations()).has(sid)).toBe(true)
  })

  test('ending one session leaves the user’s others', async () => {
    const [stolen, other] = [await logIn(), await logIn()]
    await refresh(stolen.refreshToken)
    clock.advance(minuteMs)
    await refresh(stolen.refreshToken)
    expect((await refresh(other.refreshToken)).status).toBe(200)
  })

  test('401 for an unknown token, and for an access token', async () => {
    expect(await refusal('x')).toEqual(notValid)
    expect(await refusal((await logIn()).accessToken.slice(0, 1000))).toEqual(notValid)
  })

  test('401 after seven days without use, and after thirty days at the latest', async () => {
    const idle = await logIn()
    let { refreshToken } = await logIn()
    clock.advance(7 * dayMs)
    expect(await refusal(idle.refreshToken)).toEqual(notValid)
    ;({ refreshToken } = await logIn())
    const started = clock().getTime()
    while (clock().getTime() < started + 29 * dayMs) {
      clock.advance(dayMs)
      const { status, body } = await refresh(refreshToken)
      expect(status).toBe(200)
      refreshToken = body.data.refreshToken
    }
    clock.advance(dayMs)
    expect(await refusal(refreshToken)).toEqual(notValid)
  })

  test('a clock that was ahead for a while ends no session', async () => {
    const { refreshToken } = await logIn()
    clock.advance(400 * dayMs)
    expect(await refusal(refreshToken)).toEqual(notValid)
    clock.advance(-400 * dayMs)
    expect((await refresh(refreshToken)).status).toBe(200)
  })

  test('a token that was used by a clock that was ahead is no retry', async () => {
    const { refreshToken } = await logIn()
    clock.advance(dayMs)
    expect((await refresh(refreshToken)).status).toBe(200)
    clock.advance(-dayMs)
    expect(await refusal(refreshToken)).toEqual(notValid)
  })

  test('a session that was opened by a clock that was ahead does not outlive its time', async () => {
    clock.advance(400 * dayMs)
    const { refreshToken } = await logIn()
    clock.advance(-400 * dayMs)
    expect(await refusal(refreshToken)).toEqual(notValid)
  })

  test('400 without a token', async () => {
    expect(refused(await service.post('/auth/refresh', {}), 400).message).toBe('refreshToken should not be empty')
  })

  test('continues after a restart', async () => {
    const own = await openService({ now: clock })
    const { refreshToken } = (await own.logIn()).body.data
    const next = (await own.post('/auth/refresh', { refreshToken })).body.data.refreshToken
    await own.close()
    const again = await openService({ now: clock, dataDir: own.dataDir })
    // The answer was lost with the process.
    expect((await again.post('/auth/refresh', { refreshToken })).body.data.refreshToken).toBe(next)
    await again.close()
  })
})

describe('POST /auth/logout', () => {
  test('200, and the session ends with its access tokens', async () => {
    const { refreshToken, sid } = await logIn()
    clock.advance(5 * minuteMs)
    const { status, body } = await service.post('/auth/logout', { refreshToken })
    expect([status, body]).toEqual([200, { success: true, message: 'Logged out' }])
    expect(await refusal(refreshToken)).toEqual(notValid)
    expect((await revocations()).get(sid)).toEqual({
      id: sid,
      userId: expect.any(String),
      revokedAt: clock().toISOString(),
      until: new Date(clock().getTime() + 15 * minuteMs).toISOString(),
    })
  })

  test('the access token that a clock that was ahead has signed ends as well, also after a refresh', async () => {
    const { refreshToken, sid } = await logIn()
    clock.advance(dayMs)
    const next = (await refresh(refreshToken)).body.data.refreshToken
    const until = new Date(clock().getTime() + 15 * minuteMs).toISOString()
    clock.advance(-dayMs)
    const last = (await refresh(next)).body.data.refreshToken
    await service.post('/auth/logout', { refreshToken: last })
    expect((await revocations()).get(sid)).toMatchObject({ until })
  })

  test('200 for a token that is not valid, or was logged out before, with no second revocation', async () => {
    const { refreshToken } = await logIn()
    await service.post('/auth/logout', { refreshToken })
    const before = await revocations()
    expect((await service.post('/auth/logout', { refreshToken })).status).toBe(200)
    expect((await service.post('/auth/logout', { refreshToken: 'x' })).status).toBe(200)
    expect(await revocations()).toEqual(before)
  })

  test('an older token of the session works as well', async () => {
    const { refreshToken, sid } = await logIn()
    await refresh(refreshToken)
    await service.post('/auth/logout', { refreshToken })
    expect((await revocations()).has(sid)).toBe(true)
  })

  test('400 without a token', async () => {
    expect(refused(await service.post('/auth/logout', {}), 400).code).toBe('INVALID_REQUEST')
  })
})
