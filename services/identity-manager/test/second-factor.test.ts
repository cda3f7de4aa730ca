import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { fixedClock } from '@bursar/testing'
import { rowsIn } from '@bursar/testing/service'
import { hotp, stepOf } from '../src/second-factor/totp'
import { admin, openService, refused, type TestIdentityManager } from './harness'
import { claimsOf, sessionCalls } from './session-calls'

const clock = fixedClock('2026-03-01T12:00:00.000Z')
const minuteMs = 60_000
let service: TestIdentityManager
let member: Awaited<ReturnType<TestIdentityManager['member']>>
let headers: Record<string, string>
beforeEach(async () => {
  service = await openService({ now: clock })
  member = await service.member()
  headers = await service.asUser({ ...member, roles: [member.role] })
})
afterEach(() => service?.close())

const { refresh } = sessionCalls(() => service)
const post = (path: string, body: object) => service.post(`/users/mfa${path}`, body, headers)
const bytesOf = (secret: string) => {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Uint8Array.from(bits.join('').match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}
/** The authenticator's current code; each is usable once, so it waits for the next one. */
function codeOf(secret: string): string {
  clock.advance(30_000)
  return hotp(bytesOf(secret), stepOf(clock()))
}
/** None of the codes that are taken now: those around the current one are, too. */
function wrongOf(secret: string): string {
  const taken = [-1, 0, 1].map((step) => hotp(bytesOf(secret), stepOf(clock()) + step))
  return ['000000', '111111', '222222', '333333'].find((code) => !taken.includes(code)) ?? ''
}
async function enrolled(): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await post('/totp', { password: member.password })
  expect(begun.status).toBe(201)
  const { secret } = begun.body.data
  const confirmed = await post('/totp/confirm', { code: codeOf(secret) })
  expect(confirmed.status).toBe(200)
  return { secret, recoveryCodes: confirmed.body.data.recoveryCodes }
}
const challenged = async () => (await service.logIn(member.email, member.password)).body.data.challenge as string
const answer = (challenge: string, code: string) => service.post('/auth/mfa', { challenge, code })

describe('setting it up', () => {
  test('takes the password, and the first code; until then a log-in is as before', async () => {
    expect(refused(await post('/totp', { password: 'wrong' }), 401).message).toBe('The current password is wrong')
    const { body } = await post('/totp', { password: member.password })
    expect(new URL(body.data.otpauthUri).searchParams.get('secret')).toBe(body.data.secret)
    expect((await service.logIn(member.email, member.password)).body.data.accessToken).toBeString()
    expect((await post('/totp/confirm', { code: wrongOf(body.data.secret) })).status).toBe(401)
    // A code of it proves nothing yet.
    expect((await post('/verify', { code: codeOf(body.data.secret) })).status).toBe(401)
    const confirmed = await post('/totp/confirm', { code: codeOf(body.data.secret) })
    expect(new Set(confirmed.body.data.recoveryCodes).size).toBe(10)
    expect((await service.get('/users/mfa', headers)).body.data).toEqual({
      totp: true,
      passkeys: 0,
      confirmedAt: clock().toISOString(),
      recoveryCodesLeft: 10,
      hasPassword: true,
      required: false,
    })
    expect(refused(await post('/totp', { password: member.password }), 409).code).toBe('CONFLICT')
    expect((await post('/totp/confirm', { code: codeOf(body.data.secret) })).status).toBe(409)
  })

  test('beginning again voids the first', async () => {
    const begin = async () => (await post('/totp', { password: member.password })).body.data.secret
    const [first, second] = [await begin(), await begin()]
    expect((await post('/totp/confirm', { code: codeOf(first) })).status).toBe(401)
    expect((await post('/totp/confirm', { code: codeOf(second) })).status).toBe(200)
  })

  test('is for users only', async () => {
    expect((await service.get('/users/mfa')).status).toBe(401)
    expect((await service.post('/users/mfa/totp', { password: 'x' }, await service.asParticipant('p'))).status).toBe(
      401,
    )
  })

  test('neither the secret nor a code is readable in the database', async () => {
    const { secret, recoveryCodes } = await enrolled()
    const tables = ['authenticators', 'recovery_codes', 'login_challenges']
    const rows = JSON.stringify(await Promise.all(tables.map((name) => rowsIn(service, `SELECT * FROM ${name}`))))
    const raw = Buffer.from(bytesOf(secret))
    for (const text of [secret, raw.toString('base64'), raw.toString('hex'), ...recoveryCodes]) {
      expect(rows).not.toContain(text)
    }
  })
})

describe('logging in', () => {
  test('in two steps: only the code gives tokens', async () => {
    const { secret } = await enrolled()
    const { status, body, headers: given } = await service.logIn(member.email, member.password)
    expect([status, body]).toEqual([
      200,
      {
        data: { mfaRequired: true, challenge: expect.stringMatching(/^[\w-]{32}$/), methods: ['code'], expiresIn: 300 },
      },
    ])
    expect(given.get('x-device-token')).toBeNull()
    expect((await service.get(`/users/sessions?userId=${member.id}`)).body.data).toEqual([])
    const tokens = await answer(body.data.challenge, codeOf(secret))
    expect(tokens.body.data.user.id).toBe(member.id)
    expect(tokens.headers.get('x-device-token')).toBeString()
    expect(claimsOf(tokens.body.data.accessToken).sub).toBe(member.id)
    expect((await refresh(tokens.body.data.refreshToken)).status).toBe(200)
    // The challenge is done.
    expect((await answer(body.data.challenge, codeOf(secret))).status).toBe(401)
  })

  test('a wrong password is answered as before', async () => {
    await enrolled()
    expect((await service.logIn(member.email, 'wrong')).status).toBe(401)
  })

  test('a code is usable once, whatever its use', async () => {
    const { secret } = await enrolled()
    const code = codeOf(secret)
    expect((await post('/verify', { code })).status).toBe(200)
    expect((await post('/verify', { code })).status).toBe(401)
    expect((await answer(await challenged(), code)).status).toBe(401)
    const [one, two] = [await challenged(), await challenged()]
    const next = codeOf(secret)
    const both = await Promise.all([answer(one, next), answer(two, next)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('an older code is void once a newer one was used', async () => {
    const { secret } = await enrolled()
    const older = codeOf(secret)
    expect((await post('/verify', { code: codeOf(secret) })).status).toBe(200)
    expect((await post('/verify', { code: older })).status).toBe(401)
  })

  test('a recovery code stands in for it, once, however it is written', async () => {
    const { recoveryCodes } = await enrolled()
    const [first = '', second = ''] = recoveryCodes
    expect((await answer(await challenged(), first.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await answer(await challenged(), first)).status).toBe(401)
    expect((await answer(await challenged(), second)).status).toBe(200)
    expect((await service.get('/users/mfa', headers)).body.data.recoveryCodesLeft).toBe(8)
    // Another user's code is invalid.
    const other = await service.member()
    const asOther = await service.asUser({ ...other, roles: [other.role] })
    expect((await service.post('/users/mfa/verify', { code: recoveryCodes[2] }, asOther)).status).toBe(401)
  })

  test('five wrong codes, and the right one is refused for five minutes', async () => {
    const { secret } = await enrolled()
    for (let i = 0; i < 5; i++) expect((await answer(await challenged(), wrongOf(secret))).status).toBe(401)
    expect(refused(await answer(await challenged(), codeOf(secret)), 429).code).toBe('RATE_LIMITED')
    clock.advance(5 * minuteMs)
    expect((await answer(await challenged(), codeOf(secret))).status).toBe(200)
  })

  test('wrong codes elsewhere do not lock out a known device', async () => {
    const device = (await service.logIn(member.email, member.password)).headers.get('x-device-token') ?? ''
    const { secret } = await enrolled()
    for (let i = 0; i < 5; i++) expect((await answer(await challenged(), wrongOf(secret))).status).toBe(401)
    const { challenge } = (await service.logIn(member.email, member.password, device)).body.data
    expect((await answer(challenge, codeOf(secret))).status).toBe(200)
  })

  test('ending a user’s sessions ends its log-in that awaits a code', async () => {
    const { secret } = await enrolled()
    const challenge = await challenged()
    expect((await service.del(`/users/${member.id}/sessions`)).status).toBe(200)
    clock.advance(30_000)
    expect((await answer(challenge, codeOf(secret))).status).toBe(401)
    expect((await answer(await challenged(), codeOf(secret))).status).toBe(200)
  })

  test('a challenge of a clock that was an hour ahead opens nothing', async () => {
    const { secret } = await enrolled()
    clock.advance(60 * minuteMs)
    const challenge = await challenged()
    clock.advance(-60 * minuteMs)
    expect((await answer(challenge, codeOf(secret))).status).toBe(401)
  })

  test('a challenge ends after five minutes, with another password, and when the user may no longer log in', async () => {
    const { secret } = await enrolled()
    const late = await challenged()
    clock.advance(5 * minuteMs)
    expect((await answer(late, codeOf(secret))).status).toBe(401)
    const disabled = await challenged()
    await service.put(`/users/${member.id}`, { status: 'DISABLED' })
    expect((await answer(disabled, codeOf(secret))).status).toBe(401)
    await service.put(`/users/${member.id}`, { status: 'ACTIVE' })
    const before = await challenged()
    await service.post('/auth/forgot-password', { email: member.email })
    const token = await service.tokenFor(member.email)
    expect((await service.post(`/auth/reset-password/${token}`, { password: 'nineteen quiet otters' })).status).toBe(
      200,
    )
    expect((await answer(before, codeOf(secret))).status).toBe(401)
    // A mail is not a second factor.
    expect((await service.logIn(member.email, 'nineteen quiet otters')).body.data.mfaRequired).toBe(true)
    for (const none of ['', 'x'.repeat(32)]) expect((await answer(none || 'y', '123456')).status).toBe(401)
  })
})

describe('removing it', () => {
  test('takes the password and a code', async () => {
    const { secret, recoveryCodes } = await enrolled()
    const { password } = member
    expect((await post('/totp/remove', { password: 'wrong', code: codeOf(secret) })).status).toBe(401)
    expect((await post('/totp/remove', { password, code: wrongOf(secret) })).status).toBe(401)
    expect((await post('/totp/remove', { password, code: codeOf(secret) })).status).toBe(200)
    expect((await service.get('/users/mfa', headers)).body.data).toMatchObject({ totp: false, recoveryCodesLeft: 0 })
    expect((await service.logIn(member.email, password)).body.data.accessToken).toBeString()
    await enrolled()
    expect((await post('/verify', { code: recoveryCodes[0] })).status).toBe(401)
  })

  test('new recovery codes void the earlier ones', async () => {
    const { secret, recoveryCodes } = await enrolled()
    const { password } = member
    expect((await post('/recovery-codes', { password: 'wrong', code: codeOf(secret) })).status).toBe(401)
    const renewed = (await post('/recovery-codes', { password, code: codeOf(secret) })).body.data.recoveryCodes
    expect((await post('/verify', { code: recoveryCodes[0] })).status).toBe(401)
    expect((await post('/verify', { code: renewed[0] })).status).toBe(200)
  })

  test('for a user that has lost it: by its administrator, which ends its sessions, and not by itself', async () => {
    const { secret } = await enrolled()
    const { refreshToken } = (await answer(await challenged(), codeOf(secret))).body.data
    const other = await service.member()
    const asOther = await service.asUser({ ...other, roles: [other.role] })
    const remove = (by: Record<string, string>) => service.post(`/users/${member.id}/mfa-reset`, {}, by)
    expect((await remove(asOther)).status).toBe(404)
    expect((await remove(headers)).status).toBe(409)
    const asAdmin = await service.asUser({ id: Bun.randomUUIDv7(), roles: ['admin'] })
    expect((await remove(asAdmin)).status).toBe(200)
    expect((await refresh(refreshToken)).status).toBe(401)
    expect((await service.logIn(member.email, member.password)).body.data.accessToken).toBeString()
  })
})

describe('in production', () => {
  test('users who approve or administer must set it up: until then their tokens say so', async () => {
    const own = await openService({ now: clock, env: { ENVIRONMENT: 'production' } })
    const mustEnrol = async (user: { email: string; password: string } = admin) =>
      claimsOf((await own.logIn(user.email, user.password)).body.data.accessToken).mustEnrol
    const [operator, viewer] = [await own.member({ role: 'operator' }), await own.member({ role: 'viewer' })]
    expect([await mustEnrol(), await mustEnrol(operator), await mustEnrol(viewer)]).toEqual([true, true, undefined])
    const asOperator = await own.asUser({ ...operator, roles: ['operator'] })
    expect((await own.get('/users/mfa', asOperator)).body.data.required).toBe(true)
    const { refreshToken } = (await own.logIn(operator.email, operator.password)).body.data
    const { secret } = (await own.post('/users/mfa/totp', { password: operator.password }, asOperator)).body.data
    await own.post('/users/mfa/totp/confirm', { code: codeOf(secret) }, asOperator)
    const next = (await own.post('/auth/refresh', { refreshToken })).body.data
    expect(claimsOf(next.accessToken).mustEnrol).toBeUndefined()
    await own.close()
  })
})
