import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fixedClock } from '@bursar/testing'
import { storedText } from '@bursar/testing/service'
import { nobody, openService, refused, type TestIdentityManager } from './harness'

const clock = fixedClock('2026-03-01T12:00:00.000Z')
const minuteMs = 60_000
let service: TestIdentityManager
beforeAll(async () => {
  service = await openService({ now: clock })
})
afterAll(() => service.close())

let made = 0
const password = 'nineteen quiet otters'
const notValid = {
  code: 'INVALID_REQUEST',
  message: 'The token is not valid: it was used, has expired, or never was one',
}
const set = { success: true, message: 'Password set' }

/** A user that was invited, and the token that was mailed to it. */
async function invited(): Promise<{ id: string; email: string; token: string }> {
  const email = `invited-${++made}@bank.example`
  const body = { email, name: 'Ina Invited', roleNames: ['viewer'], participantId: null, custodianId: null }
  const { id } = await service.create('/internal/users', body, await service.asService('main-api'))
  return { id, email, token: await service.tokenFor(email) }
}
const change = (token: string, body: object) => service.post(`/auth/change-password/${token}`, body)
const reset = (token: string, body: object) => service.post(`/auth/reset-password/${token}`, body)
const forget = (email: string, headers = {}) => service.post('/auth/forgot-password', { email }, headers)
const statusOf = async (email: string, secret: string) => (await service.logIn(email, secret)).status

/** A token that a user asked for itself. */
async function changeToken(user: { id: string }): Promise<string> {
  const { body } = await service.post('/users/change-password-token', undefined, await service.asUser(user))
  return body.changePasswordToken
}

describe('POST /auth/change-password/:changePasswordToken of an invitation', () => {
  test('200, and the user can log in', async () => {
    const { id, email, token } = await invited()
    expect(await statusOf(email, password)).toBe(401)
    const { status, body } = await change(token, { password })
    expect([status, body]).toEqual([200, set])
    expect(await statusOf(email, password)).toBe(200)
    const { body: user } = await service.get(`/internal/users/${id}`, await service.asService('main-api'))
    expect(user.status).toBe('ACTIVE')
  })

  test('400 for a token that was used', async () => {
    const { token } = await invited()
    await change(token, { password })
    expect(refused(await change(token, { password }), 400)).toEqual(notValid)
  })

  test('of twenty at once, one sets its password', async () => {
    const { email, token } = await invited()
    const secrets = Array.from({ length: 20 }, (_, i) => `${password} ${i}`)
    const answers = await Promise.all(secrets.map((secret) => change(token, { password: secret })))
    const winners = secrets.filter((_, i) => answers[i]?.status === 200)
    expect(winners).toHaveLength(1)
    expect(await statusOf(email, String(winners[0]))).toBe(200)
  })

  test('400 after seven days, and for an invalid token, a reset token, or that of a deleted user', async () => {
    const late = await invited()
    clock.advance(7 * 24 * 60 * minuteMs)
    expect(refused(await change(late.token, { password }), 400)).toEqual(notValid)
    expect(refused(await change('x', { password }), 400)).toEqual(notValid)
    const member = await service.member()
    await forget(member.email)
    expect(refused(await change(await service.tokenFor(member.email), { password }), 400)).toEqual(notValid)
    const deleted = await invited()
    await service.del(`/users/${deleted.id}`)
    expect(refused(await change(deleted.token, { password }), 400)).toEqual(notValid)
    const disabled = await invited()
    await service.put(`/users/${disabled.id}`, { status: 'DISABLED' })
    expect(refused(await change(disabled.token, { password }), 400)).toEqual(notValid)
  })

  test('the token went to an address that is no longer the user’s', async () => {
    const { id, token } = await invited()
    await service.put(`/users/${id}`, { email: `other-${++made}@bank.example` })
    expect(refused(await change(token, { password }), 400)).toEqual(notValid)
  })

  test.each([
    ['short', 'eleven char', 'password must be at least 12 characters long'],
    ['long', 'x1'.repeat(65), 'password must be at most 128 characters long'],
    ['common', 'password1234', 'password is one that others guess: choose another'],
    ['its name', 'Ina Invited', 'password must be at least 12 characters long'],
  ])('400 for a password that is %s, and the token stays', async (_what, weak, message) => {
    const { token } = await invited()
    const refusal = refused(await change(token, { password: weak }), 400)
    expect(refusal).toEqual({ code: 'INVALID_REQUEST', message, details: [{ field: 'password', message }] })
    expect((await change(token, { password })).status).toBe(200)
  })

  test('400 for a missing password and for one that is not text', async () => {
    const { token } = await invited()
    expect(refused(await change(token, {}), 400).message).toBe('password should not be empty')
    expect(refused(await change(token, { password: [password] }), 400).message).toBe('password must be a string')
  })

  test('an impossible token computes no hash', async () => {
    const before = service.hashed.hash
    await change('x', { password })
    expect(service.hashed.hash).toBe(before)
  })
})

describe('POST /users/change-password-token', () => {
  test('201 with a token for the own password, which requires the present one', async () => {
    const member = await service.member()
    const headers = await service.asUser(member)
    const { status, body } = await service.post('/users/change-password-token', undefined, headers)
    expect(status).toBe(201)
    const expiresAt = new Date(clock().getTime() + 10 * minuteMs).toISOString()
    expect(body).toEqual({ changePasswordToken: expect.stringMatching(/^[\w-]{32}$/), expiresAt })
    const token = body.changePasswordToken
    expect(refused(await change(token, { password }), 400).message).toBe('currentPassword should not be empty')
    const { refreshToken } = (await service.logIn(member.email, member.password)).body.data
    const answer = await change(token, { password, currentPassword: member.password })
    expect([answer.status, answer.body]).toEqual([200, set])
    expect(await statusOf(member.email, password)).toBe(200)
    expect(await statusOf(member.email, member.password)).toBe(401)
    expect((await service.post('/auth/refresh', { refreshToken })).status).toBe(401)
    expect((await service.mailsTo(member.email)).at(-1)).toContain('Your password for Bursar was changed')
  })

  test('401 for a wrong current password, 429 after five: guessing is limited', async () => {
    const member = await service.member()
    const token = await changeToken(member)
    const wrong = { password, currentPassword: 'wrong' }
    for (let i = 0; i < 5; i++) {
      expect(refused(await change(token, wrong), 401).message).toBe('The current password is wrong')
    }
    expect(refused(await change(token, wrong), 429).code).toBe('RATE_LIMITED')
    // Such guesses do not lock the user out.
    expect(await statusOf(member.email, member.password)).toBe(200)
  })

  test('400 after ten minutes', async () => {
    const member = await service.member()
    const token = await changeToken(member)
    clock.advance(10 * minuteMs)
    expect(refused(await change(token, { password, currentPassword: member.password }), 400)).toEqual(notValid)
  })

  test('401 without a user, 404 for a deleted one', async () => {
    expect(refused(await service.post('/users/change-password-token'), 401).code).toBe('UNAUTHORIZED')
    const gone = await service.asUser({ id: nobody })
    expect(refused(await service.post('/users/change-password-token', undefined, gone), 404).code).toBe('NOT_FOUND')
  })

  test('repeated with its key it gives the same token, which is stored encrypted', async () => {
    const headers = { ...(await service.asUser(await service.member())), 'idempotency-key': 'c-1' }
    const first = await service.post('/users/change-password-token', undefined, headers)
    const second = await service.post('/users/change-password-token', undefined, headers)
    expect([second.body, second.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
    const stored = await storedText(service)
    expect(stored).not.toContain(first.body.changePasswordToken)
  })
})

describe('POST /auth/forgot-password', () => {
  const sent = { success: true, message: 'If a user has this address, a mail is on its way' }

  test('200 for any address; a user gets a mail, nobody else does', async () => {
    const member = await service.member()
    const before = (await service.mailsTo(member.email)).length
    const answers = [await forget(member.email.toUpperCase()), await forget('stranger@bank.example')]
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, sent],
      [200, sent],
    ])
    expect(await service.mailsTo(member.email)).toHaveLength(before + 1)
    expect(await service.mailsTo('stranger@bank.example')).toEqual([])
  })

  test('the work is the same: it looks up no user', async () => {
    const written = (email: string) => versionsWhile(() => forget(email))
    expect(await written((await service.member()).email)).toEqual(await written('somebody@bank.example'))
  })

  test('an invited user gets its invitation again, a disabled or deleted one nothing', async () => {
    const { id, email } = await invited()
    await forget(email)
    const mails = await service.mailsTo(email)
    expect(mails).toHaveLength(2)
    expect(mails[1]).toContain('Your invitation to Bursar')
    await service.put(`/users/${id}`, { status: 'DISABLED' })
    await forget(email)
    expect(await service.mailsTo(email)).toHaveLength(2)
    await service.del(`/users/${id}`)
    await forget(email)
    expect(await service.mailsTo(email)).toHaveLength(2)
  })

  test('429 after five in five minutes, for an address and for a caller', async () => {
    for (let i = 0; i < 5; i++) expect((await forget('flooded@bank.example')).status).toBe(200)
    const { code, details } = refused(await forget('flooded@bank.example'), 429)
    expect([code, details]).toMatchObject(['RATE_LIMITED', { limit: 5, remaining: 0 }])
    const caller = await service.as({ kind: 'anonymous', subject: '198.51.100.4' })
    for (let i = 0; i < 5; i++) expect((await forget(`flooded-${i}@bank.example`, caller)).status).toBe(200)
    expect((await forget('flooded-6@bank.example', caller)).status).toBe(429)
    clock.advance(5 * minuteMs)
    expect((await forget('flooded-6@bank.example', caller)).status).toBe(200)
  })

  test.each([
    '',
    'anna',
    'anna@',
    '@bank.example',
    'a b@bank.example',
    'änna@bank.example',
    `${'x'.repeat(250)}@b.example`,
  ])('400 for %j', async (email) => {
    expect(refused(await forget(email), 400).code).toBe('INVALID_REQUEST')
  })
})

/** How often each table was written to by some work. */
async function versionsWhile(work: () => Promise<unknown>): Promise<number[]> {
  const tables = ['users', 'attempts', 'reset_requests', 'password_tokens', 'mails', 'sessions', 'outbox']
  const before = tables.map((table) => service.store.versionOf([table]))
  await work()
  return tables.map((table, i) => service.store.versionOf([table]) - Number(before[i]))
}

describe('POST /auth/reset-password/:resetPasswordToken', () => {
  const forgotten = async (email: string) => {
    await forget(email)
    return await service.tokenFor(email)
  }

  test('200 once: the new password works, the old one does not, sessions and other tokens end', async () => {
    const member = await service.member()
    const { refreshToken } = (await service.logIn(member.email, member.password)).body.data
    const [first, second] = [await forgotten(member.email), await forgotten(member.email)]
    const { status, body } = await reset(second, { password })
    expect([status, body]).toEqual([200, set])
    expect(await statusOf(member.email, password)).toBe(200)
    expect(await statusOf(member.email, member.password)).toBe(401)
    expect((await service.post('/auth/refresh', { refreshToken })).status).toBe(401)
    for (const token of [first, second]) expect(refused(await reset(token, { password }), 400)).toEqual(notValid)
  })

  test('it unlocks an account locked by failures', async () => {
    const member = await service.member()
    for (let i = 0; i < 5; i++) await service.logIn(member.email, 'wrong')
    expect(await statusOf(member.email, member.password)).toBe(429)
    await reset(await forgotten(member.email), { password })
    expect(await statusOf(member.email, password)).toBe(200)
  })

  test('400 after ten minutes; a token of a clock that was ahead does not work later', async () => {
    const member = await service.member()
    const token = await forgotten(member.email)
    clock.advance(10 * minuteMs)
    expect(refused(await reset(token, { password }), 400)).toEqual(notValid)
    clock.advance(24 * 60 * minuteMs)
    const ahead = await forgotten(member.email)
    clock.advance(-24 * 60 * minuteMs)
    expect(refused(await reset(ahead, { password }), 400)).toEqual(notValid)
  })

  test('400 for the token of an invitation, for a weak password, for nothing', async () => {
    const { token } = await invited()
    expect(refused(await reset(token, { password }), 400)).toEqual(notValid)
    const member = await service.member()
    const own = await forgotten(member.email)
    expect(refused(await reset(own, { password: member.email }), 400).code).toBe('INVALID_REQUEST')
    expect(refused(await reset(own, {}), 400).message).toBe('password should not be empty')
  })
})
