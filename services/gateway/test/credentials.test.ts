import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { openGateway, refused, type TestGateway } from './harness'
import { signingKey, tokenOf } from './peers'

const alice = '01a1fe8f-0000-7000-8000-0000000000a1'
const bank = '01a1fe8f-0000-7000-8000-0000000000b1'
const otherBank = '01a1fe8f-0000-7000-8000-0000000000b2'
const key = `sk_test_${'k'.repeat(32)}`
const withKey = { 'x-api-key': key }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openGateway()
  gateway.main.issue(key, { participantId: bank })
})
afterEach(() => void setSystemTime())
afterAll(() => gateway?.close())

describe('an access token or an API key', () => {
  test('a token: the service gets the user, its participant, custodian, roles and session', async () => {
    const custodianId = '01a1fe8f-0000-7000-8000-0000000000c1'
    const roles = ['operator', 'viewer'] as const
    const sid = Bun.randomUUIDv7()
    const headers = await gateway.user({ sub: alice, participantId: bank, custodianId, roles: [...roles], sid })
    const { status, body } = await gateway.get('/quote/v1/assets?limit=1', headers)
    expect([status, body.method, body.path]).toEqual([200, 'GET', '/v1/assets?limit=1'])
    expect(await gateway.callerIn(body.headers, 'quote')).toEqual({
      kind: 'user',
      subject: alice,
      participantId: bank,
      custodianId,
      roles: ['operator', 'viewer'],
      sessionId: sid,
    })
  })

  test('a key: the service gets the participant, without roles', async () => {
    const { status, body } = await gateway.get('/quote/v1/assets', withKey)
    expect(status).toBe(200)
    expect(await gateway.callerIn(body.headers, 'quote')).toEqual({
      kind: 'participant',
      subject: bank,
      participantId: bank,
      custodianId: null,
      roles: [],
    })
  })

  test('a key of a participant that was made without the main API', async () => {
    gateway.participant.know('of-old', otherBank)
    const { body } = await gateway.get('/quote/v1/assets', { 'x-api-key': 'of-old' })
    expect(await gateway.callerIn(body.headers, 'quote')).toMatchObject({ subject: otherBank })
  })

  test('both: the user acts for its participant', async () => {
    const headers = await gateway.user({ sub: alice, participantId: bank })
    const { body } = await gateway.get('/quote/v1/assets', { ...headers, ...withKey })
    expect(await gateway.callerIn(body.headers, 'quote')).toMatchObject({
      kind: 'user',
      subject: alice,
      participantId: bank,
    })
  })

  test('both, and the user has no participant: it acts for the key’s participant', async () => {
    const headers = await gateway.user({ sub: alice, roles: ['admin'] })
    const { body } = await gateway.get('/quote/v1/assets', { ...headers, ...withKey })
    expect(await gateway.callerIn(body.headers, 'quote')).toMatchObject({
      subject: alice,
      participantId: bank,
      roles: ['admin'],
    })
  })

  test('the key of another participant than the user’s: 401 INVALID_API_KEY', async () => {
    const headers = await gateway.user({ participantId: otherBank })
    expect(refused(await gateway.get('/quote/v1/assets', { ...headers, ...withKey }), 401).code).toBe('INVALID_API_KEY')
  })

  test('an invalid credential beside a valid one: 401', async () => {
    const headers = await gateway.user({ participantId: bank })
    const wrongKey = await gateway.get('/quote/v1/assets', { ...headers, 'x-api-key': 'sk_test_wrong' })
    expect(refused(wrongKey, 401).code).toBe('INVALID_API_KEY')
    const wrongToken = await gateway.get('/quote/v1/assets', { authorization: 'Bearer x.y.z', ...withKey })
    expect(refused(wrongToken, 401).code).toBe('UNAUTHORIZED')
  })

  test('nothing: 401 UNAUTHORIZED', async () => {
    const before = gateway.quote.requests.length
    expect(refused(await gateway.get('/quote/v1/assets'), 401).code).toBe('UNAUTHORIZED')
    expect(gateway.quote.requests.length).toBe(before)
  })

  test('identities, credentials and addresses that the caller wrote do not reach the service', async () => {
    const forged = {
      'x-identity': 'forged',
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
      cookie: 'a=b',
    }
    const { body } = await gateway.get('/quote/v1/assets', { ...withKey, ...forged })
    expect(await gateway.callerIn(body.headers, 'quote')).toMatchObject({ subject: bank })
    const { authorization, cookie, forwarded, host, 'x-api-key': sentKey, 'x-forwarded-for': address } = body.headers
    expect({ authorization, cookie, forwarded, sentKey, address }).toEqual({ address: '127.0.0.1' } as never)
    expect(host).toBe(new URL(gateway.quote.url).host)
  })
})

describe('both an access token and an API key: the main API and the log tracker', () => {
  const paths = ['/main/v1/participants/detail', '/tracker/v1/log-messages']

  test.each(paths)('%s with both: 200', async (path) => {
    const headers = await gateway.user({ participantId: bank })
    expect((await gateway.get(path, { ...headers, ...withKey })).status).toBe(200)
  })

  test.each(paths)('%s with one of them: 401 UNAUTHORIZED', async (path) => {
    expect(refused(await gateway.get(path, withKey), 401).code).toBe('UNAUTHORIZED')
    const headers = await gateway.user({ participantId: bank })
    expect(refused(await gateway.get(path, headers), 401).code).toBe('UNAUTHORIZED')
  })

  test.each(paths)(
    '%s with the token alone, until the participant has a key, and for a user without one: 200',
    async (path) => {
      gateway.main.move(otherBank, 'APPROVED')
      expect((await gateway.get(path, await gateway.user({ participantId: otherBank }))).status).toBe(200)
      const madeWithKey = await gateway.user({ participantId: Bun.randomUUIDv7() })
      expect(refused(await gateway.get(path, madeWithKey), 401).message).toContain('X-API-KEY')
      expect((await gateway.get(path, await gateway.user({ roles: ['admin'] }))).status).toBe(200)
      const custodian = { roles: ['custodian-user' as const], custodianId: otherBank }
      expect((await gateway.get(path, await gateway.user(custodian))).status).toBe(200)
    },
  )
})

describe('no credentials', () => {
  test.each([
    ['GET', '/quote/v1/health'],
    ['GET', '/main/v1/health'],
    ['GET', '/tracker/v1/health'],
    ['POST', '/identity/v1/auth/login'],
    ['POST', '/identity/v1/auth/change-password/token'],
    ['POST', '/identity/v1/users/register'],
    ['GET', '/identity/v1/.well-known/jwks.json'],
    ['POST', '/main/v1/participants'],
    ['POST', '/main/participants'],
  ])('%s %s: 200, anonymous by its address', async (method, path) => {
    const { status, body } = await gateway.ask(method, path, method === 'POST' ? {} : undefined)
    expect(status).toBe(200)
    if (!body.headers) return
    const [, slug] = path.split('/')
    const names = { quote: 'quote', main: 'main-api', tracker: 'log-tracker', identity: 'identity-manager' } as const
    expect(await gateway.callerIn(body.headers, names[slug as keyof typeof names])).toEqual({
      kind: 'anonymous',
      subject: '127.0.0.1',
      participantId: null,
      custodianId: null,
      roles: [],
    })
  })

  test.each([
    ['GET', '/main/v1/participants'],
    ['PUT', '/main/v1/participants'],
    ['POST', '/main/v1/participants/'.concat(bank, '/accounts')],
    ['GET', '/identity/v1/users'],
    ['POST', '/identity/v1/users'],
    ['POST', '/identity/v1/auth/../users'],
    ['GET', '/identity/v1/users/register'],
    ['GET', '/quote/v1/health/x'],
  ])('%s %s: 401', async (method, path) => {
    expect(refused(await gateway.ask(method, path, method === 'GET' ? undefined : {}), 401).code).toBe('UNAUTHORIZED')
  })

  test('a valid token names the caller; an invalid one is ignored', async () => {
    const path = '/identity/v1/auth/logout'
    const known = await gateway.post(path, {}, await gateway.user({ sub: alice }))
    expect(await gateway.callerIn(known.body.headers, 'identity-manager')).toMatchObject({
      kind: 'user',
      subject: alice,
    })
    const expired = await gateway.post(path, {}, await gateway.user({ expiresIn: -1 }))
    expect(await gateway.callerIn(expired.body.headers, 'identity-manager')).toMatchObject({ kind: 'anonymous' })
  })
})

describe('invalid tokens', () => {
  const ask = (authorization: string) => gateway.get('/quote/v1/assets', { authorization })
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test('expired: 401 TOKEN_EXPIRED', async () => {
    const { authorization } = await gateway.user({ expiresIn: -1 })
    expect(refused(await ask(authorization), 401).code).toBe('TOKEN_EXPIRED')
  })

  test('a token that has been used expires too: 401 TOKEN_EXPIRED', async () => {
    const { authorization } = await gateway.user({ expiresIn: 900 })
    expect((await ask(authorization)).status).toBe(200)
    setSystemTime(Date.now() + 900_000)
    expect(refused(await ask(authorization), 401).code).toBe('TOKEN_EXPIRED')
  })

  test('forged by another key of the same kid: 401', async () => {
    const stranger = await signingKey(gateway.key.kid)
    expect(refused(await ask(`Bearer ${await tokenOf(stranger)}`), 401).code).toBe('UNAUTHORIZED')
  })

  test('signed by an unknown key: 401', async () => {
    const stranger = await signingKey('key-unknown')
    expect(refused(await ask(`Bearer ${await tokenOf(stranger)}`), 401).code).toBe('UNAUTHORIZED')
  })

  test.each([
    ['another audience', { audience: 'bursar' }],
    ['another issuer', { issuer: 'somebody' }],
    ['no UUID for a subject', { sub: 'admin' }],
    ['unknown roles', { roles: ['root' as never] }],
  ])('with %s: 401', async (_, options) => {
    expect(refused(await ask((await gateway.user(options)).authorization), 401).code).toBe('UNAUTHORIZED')
  })

  test('changed after it was signed: 401', async () => {
    const [head, claims = '', signature] = (await tokenOf(gateway.key)).split('.')
    const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), roles: ['admin'] }
    expect(refused(await ask(`Bearer ${head}.${encode(changed)}.${signature}`), 401).code).toBe('UNAUTHORIZED')
  })

  test.each(['none', 'None', 'HS256'])('alg %s: 401, also when it is signed by the public key', async (alg) => {
    const claims = (await tokenOf(gateway.key)).split('.')[1]
    const text = `${encode({ alg, kid: gateway.key.kid })}.${claims}`
    const signature = new Bun.CryptoHasher('sha256', Buffer.from(gateway.key.publicJwk.x, 'base64url'))
      .update(text)
      .digest('base64url')
    for (const token of [`${text}.`, `${text}.${signature}`]) {
      expect(refused(await ask(`Bearer ${token}`), 401).code).toBe('UNAUTHORIZED')
    }
  })

  test('a key of its own in the header: 401', async () => {
    const stranger = await signingKey('own')
    const [, claims] = (await tokenOf(stranger)).split('.')
    const head = encode({ alg: 'EdDSA', jwk: stranger.publicJwk, jku: `${gateway.quote.url}/jwks`, kid: 'own' })
    const signature = await crypto.subtle.sign('Ed25519', stranger.privateKey, Buffer.from(`${head}.${claims}`))
    const token = `${head}.${claims}.${Buffer.from(signature).toString('base64url')}`
    expect(refused(await ask(`Bearer ${token}`), 401).code).toBe('UNAUTHORIZED')
  })

  test.each([
    '',
    'x',
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Basic YTpi',
    'Bearer a.b.c, Bearer d.e.f',
    `Bearer ${'x'.repeat(5000)}`,
  ])('Authorization "%s": 401', async (authorization) => {
    expect(refused(await ask(authorization), 401).code).toBe('UNAUTHORIZED')
  })
})

describe('invalid API keys: 401 INVALID_API_KEY', () => {
  test.each([
    ['unknown', 'sk_test_nobody', undefined],
    ['expired', 'sk_test_expired', { participantId: bank, status: 'expired' as const }],
    ['revoked', 'sk_test_revoked', { participantId: bank, status: 'revoked' as const }],
    ['valid until a moment ago', 'sk_test_over', { participantId: bank, validUntil: '2020-01-01T00:00:00.000Z' }],
    ['of the other environment', 'sk_live_other', { participantId: bank }],
    ['too long', 'x'.repeat(256), { participantId: bank }],
    ['twice', `${key}, ${key}`, undefined],
  ])('%s', async (_, text, known) => {
    if (known) gateway.main.issue(text, known)
    // What the main API refuses is not looked for elsewhere.
    if (known) gateway.participant.know(text, bank)
    expect(refused(await gateway.get('/quote/v1/assets', { 'x-api-key': text }), 401).code).toBe('INVALID_API_KEY')
  })
})

test('a signature has one encoding: another last character is refused', async () => {
  const { authorization } = await gateway.user()
  const last = authorization.at(-1) ?? ''
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const bytesOf = (token: string) => Buffer.from(token.split('.')[2] ?? '', 'base64url').toString('hex')
  const same = [...letters]
    .map((letter) => authorization.slice(0, -1) + letter)
    .filter((each) => bytesOf(each) === bytesOf(authorization) && !each.endsWith(last))
  expect(same).toHaveLength(15)
  for (const each of [...same, `${authorization}=`, `${authorization}==`]) {
    expect((await gateway.get('/quote/v1/assets', { authorization: each })).status).toBe(401)
  }
  expect((await gateway.get('/quote/v1/assets', { authorization })).status).toBe(200)
})
