import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accessTokenAudience, accessTokenIssuer } from '@bursar/contracts/identity-manager'
import { fixedClock } from '@bursar/testing'
import { storedText } from '@bursar/testing/service'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { argon2id } from '../src/passwords/hashing'
import { admin, openService, refused, type TestIdentityManager } from './harness'

let service: TestIdentityManager
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const wrong = { code: 'UNAUTHORIZED', message: 'The address or the password is wrong' }

describe('POST /auth/login', () => {
  test('200 with tokens that the published keys verify', async () => {
    const { status, body } = await service.logIn()
    expect(status).toBe(200)
    const { data } = body
    expect(data).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 900,
      user: { id: data.user.id, email: admin.email, name: 'Administrator', roles: ['admin'] },
    })
    const keys = createLocalJWKSet((await service.get('/.well-known/jwks.json')).body)
    const { payload, protectedHeader } = await jwtVerify(data.accessToken, keys, {
      issuer: accessTokenIssuer,
      audience: accessTokenAudience,
      algorithms: ['EdDSA'],
    })
    expect(protectedHeader.kid).toBeString()
    expect(payload).toMatchObject({ sub: data.user.id, roles: ['admin'], participantId: null, custodianId: null })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(900)
  })

  test('200 with the address in any case', async () => {
    expect((await service.logIn(admin.email.toUpperCase())).status).toBe(200)
  })

  test('the token names the participant, or the custodian bank, of its user', async () => {
    const [participantId, custodianId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    const own = await service.member({ participantId })
    const other = await service.member({ custodianId, role: 'custodian-user' })
    for (const member of [own, other]) {
      const { accessToken } = (await service.logIn(member.email, member.password)).body.data
      const claims = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url').toString())
      expect(claims).toMatchObject({
        sub: member.id,
        roles: [member.role],
        participantId: member.participantId,
        custodianId: member.custodianId,
      })
    }
  })

  test('401, with the same message, for whoever may not log in', async () => {
    const disabled = await service.member()
    await service.put(`/users/${disabled.id}`, { status: 'DISABLED' })
    const deleted = await service.member()
    await service.del(`/users/${deleted.id}`)
    await service.post('/internal/users', invitation('invited@bank.example'), await service.asService('main-api'))
    const answers = [
      await service.logIn(admin.email, 'wrong'),
      await service.logIn('unknown@bank.example', 'wrong'),
      await service.logIn('no address', 'wrong'),
      await service.logIn('invited@bank.example', 'wrong'),
      await service.logIn(disabled.email, disabled.password),
      await service.logIn(deleted.email, deleted.password),
    ]
    expect(answers.map((answer) => refused(answer, 401))).toEqual(answers.map(() => wrong))
    const headers = answers.map(({ headers }) => Object.keys(headers.toJSON()).sort())
    expect(new Set(headers.map(String)).size).toBe(1)
  })

  test('the work is the same for each of them: one hash is verified', async () => {
    const own = await openService()
    const disabled = await own.member()
    await own.put(`/users/${disabled.id}`, { status: 'DISABLED' })
    await own.post('/internal/users', invitation('invited@bank.example'), await own.asService('main-api'))
    const counts: object[] = []
    for (const email of ['nobody@bank.example', 'invited@bank.example', disabled.email, admin.email]) {
      const before = { ...own.hashed }
      await own.logIn(email, 'wrong')
      counts.push({ hash: own.hashed.hash - before.hash, verify: own.hashed.verify - before.verify })
    }
    // Only the very first one makes the hash that stands for those that there are not.
    expect(counts).toEqual([
      { hash: 1, verify: 1 },
      { hash: 0, verify: 1 },
      { hash: 0, verify: 1 },
      { hash: 0, verify: 1 },
    ])
    await own.close()
  })

  test('the first login of all makes that hash, also for a user that there is', async () => {
    const own = await openService()
    const before = { ...own.hashed }
    await own.logIn()
    expect([own.hashed.hash - before.hash, own.hashed.verify - before.verify]).toEqual([1, 1])
    await own.close()
  })

  test('passwords are kept as argon2id, and composed letters are the same as single ones', async () => {
    const own = await openService({
      hasher: argon2id,
      env: { ADMIN_PASSWORD: 'zürich im späten regen'.normalize('NFD') },
    })
    expect((await own.logIn(admin.email, 'zürich im späten regen'.normalize('NFC'))).status).toBe(200)
    expect((await own.logIn(admin.email, 'zurich im spaten regen')).status).toBe(401)
    await own.close()
    expect(await storedText(own)).toContain('$argon2id$v=19$m=65536,t=2,p=1$')
  })

  test.each([
    ['nothing', {}, ['email should not be empty', 'password should not be empty']],
    ['numbers', { email: 1, password: 2 }, ['email must be a string', 'password must be a string']],
    ['empty texts', { email: '', password: '' }, ['email should not be empty', 'password should not be empty']],
    [
      'too much',
      { email: 'x'.repeat(255), password: 'x'.repeat(1025) },
      ['email must be at most 254 characters long', 'password must be at most 1024 characters long'],
    ],
  ])('400 for %s', async (_what, body, messages) => {
    const { code, details } = refused(await service.post('/auth/login', body), 400)
    expect([code, (details as { message: string }[]).map(({ message }) => message)]).toEqual([
      'INVALID_REQUEST',
      messages,
    ])
  })

  test.each([
    ['a null', '\u0000'],
    ['letters that take two units', '🐙'.repeat(500)],
    ['SQL', "' or 1=1 --"],
    ['a path', '../../etc/passwd'],
    ['a name of the prototype', '__proto__'],
    ['a query', '{"$gt":""}'],
  ])('401 for malicious input: %s', async (_what, text) => {
    expect(refused(await service.post('/auth/login', { email: text.slice(0, 200), password: text }), 401)).toEqual(
      wrong,
    )
  })

  test('an idempotency key does not replay tokens', async () => {
    const headers = { 'idempotency-key': 'l-1' }
    const [one, two] = [
      await service.post('/auth/login', admin, headers),
      await service.post('/auth/login', admin, headers),
    ]
    expect(one.body.data.refreshToken).not.toBe(two.body.data.refreshToken)
    expect(two.headers.get('idempotent-replayed')).toBeNull()
  })
})

describe('after five failures', () => {
  const clock = fixedClock('2026-03-01T12:00:00.000Z')
  let own: TestIdentityManager
  beforeAll(async () => {
    own = await openService({ now: clock })
  })
  afterAll(() => own.close())
  const fail = async (email: string, headers = {}) =>
    (await own.post('/auth/login', { email, password: 'wrong' }, headers)).status

  test('429 for the account, with the right password too, until five minutes are over', async () => {
    const { email, password } = await own.member()
    for (let i = 0; i < 4; i++) expect(await fail(email)).toBe(401)
    clock.advance(60_000)
    expect(await fail(email.toUpperCase())).toBe(401)
    const answer = await own.logIn(email, password)
    expect(refused(answer, 429)).toEqual({
      code: 'RATE_LIMITED',
      message: 'Too many attempts; wait before the next one',
      details: { limit: 5, remaining: 0, resetAt: '2026-03-01T12:05:00.000Z' },
    })
    expect(answer.headers.get('retry-after')).toBe('240')
    expect(answer.headers.get('ratelimit')).toBe('"attempts";r=0;t=240')
    expect(answer.headers.get('ratelimit-policy')).toBe('"attempts";q=5;w=300')
    clock.advance(239_999)
    expect((await own.logIn(email, password)).status).toBe(429)
    clock.advance(1)
    expect((await own.logIn(email, password)).status).toBe(200)
  })

  test('429 for an unknown address as well', async () => {
    for (let i = 0; i < 5; i++) expect(await fail('stranger@bank.example')).toBe(401)
    expect(await fail('stranger@bank.example')).toBe(429)
  })

  test('others can still log in, and a login forgets the failures of its account', async () => {
    const { email, password } = await own.member()
    for (let i = 0; i < 12; i++) {
      for (let j = 0; j < 4; j++) expect(await fail(email)).toBe(401)
      expect((await own.logIn(email, password)).status).toBe(200)
    }
  })

  test('429 for the address that they came from, whatever the account', async () => {
    const headers = await own.as({ kind: 'anonymous', subject: '203.0.113.7' })
    for (let i = 0; i < 5; i++) expect(await fail(`sprayed-${i}@bank.example`, headers)).toBe(401)
    const { email, password } = await own.member()
    expect((await own.post('/auth/login', { email, password }, headers)).status).toBe(429)
    const elsewhere = await own.as({ kind: 'anonymous', subject: '203.0.113.8' })
    expect((await own.post('/auth/login', { email, password }, elsewhere)).status).toBe(200)
  })

  test('of fifty guesses at once no more than five are verified', async () => {
    const { email } = await own.member()
    const before = own.hashed.verify
    const statuses = await Promise.all(Array.from({ length: 50 }, () => fail(email)))
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(45)
    expect(own.hashed.verify - before).toBe(5)
  })

  test('the lock outlives the process', async () => {
    const first = await openService({ now: clock })
    for (let i = 0; i < 5; i++) await first.logIn(admin.email, 'wrong')
    await first.close()
    const again = await openService({ now: clock, dataDir: first.dataDir })
    expect((await again.logIn()).status).toBe(429)
    await again.close()
  })

  test('a clock that was ahead locks nobody out', async () => {
    const { email, password } = await own.member()
    clock.advance(24 * 3_600_000)
    for (let i = 0; i < 5; i++) expect(await fail(email)).toBe(401)
    clock.advance(-24 * 3_600_000)
    expect((await own.logIn(email, password)).status).toBe(200)
  })
})

test('401 for a user that is disabled, or whose password changes, while its password is verified', async () => {
  let meanwhile = async () => {}
  const own = await openService({
    hasher: {
      hash: async (password) => password,
      async verify(password, hash) {
        await meanwhile()
        return password === hash
      },
    },
  })
  const { id, email, password } = await own.member()
  await own.post('/auth/forgot-password', { email })
  const token = await own.tokenFor(email)
  meanwhile = async () => void (await own.post(`/auth/reset-password/${token}`, { password: 'nineteen quiet otters' }))
  expect(refused(await own.logIn(email, password), 401)).toEqual(wrong)
  meanwhile = async () => void (await own.put(`/users/${id}`, { status: 'DISABLED' }))
  expect(refused(await own.logIn(email, 'nineteen quiet otters'), 401)).toEqual(wrong)
  await own.close()
})

const invitation = (email: string) => ({
  email,
  name: 'Invited',
  roleNames: ['viewer'],
  participantId: null,
  custodianId: null,
})
