// Log-ins through the provider when something is wrong: clocks, an unreachable provider, too many attempts, settings.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { freePort, type LocalServer, localServer } from '@bursar/testing'
import { type OpenIdProvider, openIdProvider, redirectUrl } from '@bursar/testing/openid-provider'
import { config } from '../src/config'
import { sweep } from '../src/sweep'
import { openService, refused, type TestIdentityManager } from './harness'
import { personOf, settingsFor, signOnCalls, withPatience } from './sign-on'

withPatience()
let provider: OpenIdProvider
let service: TestIdentityManager | undefined
let offsetMs = 0
const now = () => new Date(Date.now() + offsetMs)
beforeAll(async () => {
  provider = await openIdProvider()
})
afterAll(() => provider.close())
beforeEach(() => {
  offsetMs = 0
  provider.asked = []
})
afterEach(async () => {
  await service?.close()
  service = undefined
})
const open = async (env: Record<string, string> = {}, at = provider.issuer) => {
  service = await openService({ env: settingsFor({ issuer: at }, env), now })
  return {
    service,
    ...signOnCalls(
      () => service as TestIdentityManager,
      () => provider,
    ),
  }
}
const anna = personOf('anna@harbour.example', ['desk-ops'])
const away = 'Harbour ID cannot be asked right now: log in with your password, or try again in a moment'

describe('clocks', () => {
  // Also those of the provider and of the library: they differ by what a test says, however long it takes.
  beforeEach(() => void setSystemTime(new Date()))
  afterEach(() => void setSystemTime())

  // ID tokens of the provider live for 600 seconds.
  test.each([
    ['expired a while ago', 660, undefined, 401],
    ['expired less than the tolerance ago', 620, undefined, 200],
    ['expired less than the tolerance of the settings ago', 660, '120', 200],
    ['expired, and no tolerance', 610, '0', 401],
  ])('a token that has %s: by %i s of our clock, tolerance %s: %i', async (_, seconds, tolerance, status) => {
    offsetMs = seconds * 1000
    const { signOn } = await open(tolerance === undefined ? {} : { OIDC_CLOCK_TOLERANCE: tolerance })
    expect((await signOn(anna)).status).toBe(status)
  })

  test('a log-in may take ten minutes; expired ones are deleted', async () => {
    const { service, begin, complete } = await open()
    const [first, second, third] = [await begin(), await begin(), await begin()]
    const queries = []
    for (const { url } of [first, second, third]) queries.push(await provider.logIn(url, anna))
    offsetMs = 570_000
    expect((await complete(first.attempt, queries[0] ?? '')).status).toBe(200)
    offsetMs = 601_000
    expect(refused(await complete(second.attempt, queries[1] ?? ''), 401).message).toContain('taken too long')
    await sweep(service.deps)
    offsetMs = 0
    expect(refused(await complete(third.attempt, queries[2] ?? ''), 401).message).toContain('taken too long')
  })

  test('one with an expiry far ahead was begun by a wrong clock', async () => {
    offsetMs = 24 * 3_600_000
    const { begin, complete } = await open()
    const { url, attempt } = await begin()
    const query = await provider.logIn(url, anna)
    offsetMs = 0
    expect(refused(await complete(attempt, query), 401).message).toContain('taken too long')
  })

  test('the provider’s metadata is fetched again after an hour', async () => {
    const { begin } = await open()
    const discoveries = () => provider.asked.filter((each) => each.includes('.well-known')).length
    await Promise.all([begin(), begin(), begin()])
    offsetMs = 59 * 60_000
    await begin()
    expect(discoveries()).toBe(1)
    offsetMs = 61 * 60_000
    await begin()
    expect(discoveries()).toBe(2)
  })
})

describe('an unreachable provider', () => {
  test('503 with a message; a password logs in; it works once it is reachable', async () => {
    // No connection of anybody's is given this port meanwhile.
    const gone = await openIdProvider({ port: await freePort() })
    await gone.close()
    const { service, begin } = await open({}, gone.issuer)
    expect(refused(await service.post('/auth/single-sign-on/begin', {}), 503)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: away,
    })
    expect((await service.logIn()).status).toBe(200)
    const back = await openIdProvider({ port: gone.port })
    expect((await begin()).url).toStartWith(`${back.issuer}/auth?`)
    await back.close()
  })

  test('503 when it disappears in the middle, which is not counted as a failure', async () => {
    const own = await openIdProvider({ port: await freePort() })
    const { service, begin, complete } = await open({}, own.issuer)
    const from = await service.as({ kind: 'anonymous', subject: '203.0.113.7' })
    const begun = []
    for (let i = 0; i < 7; i++) begun.push(await begin())
    const queries = []
    for (const { url } of begun) queries.push(await own.logIn(url, anna))
    await own.close()
    for (const [i, { attempt }] of begun.entries()) {
      expect(refused(await complete(attempt, queries[i] ?? '', from), 503).message).toBe(away)
    }
  })

  test.each([
    ['something other than JSON', () => new Response('<h1>Busy</h1>', { headers: { 'content-type': 'text/html' } })],
    ['500', () => new Response('{}', { status: 500 })],
    [
      'another issuer',
      () =>
        Response.json({ issuer: 'https://another.example', authorization_endpoint: 'https://another.example/auth' }),
    ],
    ['more than anybody reads', () => Response.json({ issuer: 'x'.repeat(2_000_000) })],
  ])('503 where it answers %s', async (_, answer) => {
    const odd: LocalServer = localServer(answer)
    const { service } = await open({}, odd.url)
    expect(refused(await service.post('/auth/single-sign-on/begin', {}), 503).message).toBe(away)
    await odd.stop()
  })

  test('503 when it redirects elsewhere: the redirect is not followed', async () => {
    const odd: LocalServer = localServer(({ url }) => {
      const issuer = new URL(url).origin
      if (!url.endsWith('/elsewhere')) return Response.redirect(`${issuer}/elsewhere`)
      return Response.json({ issuer, authorization_endpoint: `${issuer}/auth`, response_types_supported: ['code'] })
    })
    const { service } = await open({}, odd.url)
    expect(refused(await service.post('/auth/single-sign-on/begin', {}), 503).message).toBe(away)
    expect(odd.requests.map(({ path }) => path)).toEqual(['/.well-known/openid-configuration'])
    await odd.stop()
  })

  test('503 when it rejects the client: the settings are wrong, not the user', async () => {
    const { signOn } = await open({ OIDC_CLIENT_SECRET: 'another secret' })
    expect(refused(await signOn(anna), 503).message).toBe(away)
  })

  test('503 when it names addresses of our own network, which are not called', async () => {
    const inside: string[] = []
    const own = localServer((request) => {
      inside.push(new URL(request.url).pathname)
      return Response.json({})
    })
    const base = await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json()
    const outside = localServer(() =>
      Response.json({ ...(base as object), issuer: outside.url, token_endpoint: `${own.url}/token` }),
    )
    const { begin, complete } = await open({}, outside.url)
    const { url, attempt } = await begin()
    const query = new URLSearchParams({
      code: 'x',
      iss: outside.url,
      state: new URL(url).searchParams.get('state') ?? '',
    })
    expect(refused(await complete(attempt, query.toString()), 503).message).toBe(away)
    expect(inside).toEqual([])
    await Promise.all([own.stop(), outside.stop()])
  })
})

test('429 for an address after five failures, of passwords or through the provider', async () => {
  const { service, begin, complete } = await open()
  const from = await service.as({ kind: 'anonymous', subject: '203.0.113.7' })
  const password = { email: 'nobody@bank.example', password: 'wrong' }
  for (let i = 0; i < 3; i++) expect((await complete('no attempt', 'code=x', from)).status).toBe(401)
  for (let i = 0; i < 2; i++) expect((await service.post('/auth/login', password, from)).status).toBe(401)
  const { url, attempt } = await begin()
  const query = await provider.logIn(url, anna)
  expect(refused(await complete(attempt, query, from), 429).code).toBe('RATE_LIMITED')
  const elsewhere = await service.as({ kind: 'anonymous', subject: '203.0.113.8' })
  expect((await complete(attempt, query, elsewhere)).status).toBe(200)
})

test('successes do not count as failures', async () => {
  const { service, begin, complete } = await open()
  const from = await service.as({ kind: 'anonymous', subject: '203.0.113.7' })
  for (let i = 0; i < 7; i++) {
    const { url, attempt } = await begin()
    expect((await complete(attempt, await provider.logIn(url, anna), from)).status).toBe(200)
  }
})

test('without an issuer: 404, and nothing to show', async () => {
  const own = await openService()
  expect((await own.get('/auth/single-sign-on')).body).toEqual({ data: null })
  for (const [path, body] of [
    ['begin', {}],
    ['complete', { attempt: 'x', query: 'code=x' }],
  ] as const) {
    expect(refused(await own.post(`/auth/single-sign-on/${path}`, body), 404).message).toContain(
      'log in with your password',
    )
  }
  await own.close()
})

test('its name is shown to everybody', async () => {
  const { service } = await open()
  expect((await service.get('/auth/single-sign-on')).body).toEqual({ data: { name: 'Harbour ID' } })
})

test.each([
  ['a query that is too long', { attempt: 'x', query: 'x'.repeat(8193) }],
  ['a query of two lines', { attempt: 'x', query: 'a\nb' }],
  ['no attempt', { query: 'code=x' }],
])('400 for %s', async (_, body) => {
  const { service } = await open()
  expect((await service.post('/auth/single-sign-on/complete', body)).status).toBe(400)
})

describe('settings', () => {
  const given = settingsFor({ issuer: 'https://id.harbour.example/realms/desk' })
  const read = (env: Record<string, string>) => config({ ...given, ...env }).singleSignOn

  test('have defaults', () => {
    const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '' } = given
    const env = { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ROLES: 'a=b=viewer, a=b=operator,c = admin' }
    expect(config({ ...env, PUBLIC_URL: 'https://bursar.example/' }).singleSignOn).toEqual({
      issuer: OIDC_ISSUER,
      clientId: 'bursar',
      clientSecret: OIDC_CLIENT_SECRET,
      name: 'single sign-on',
      redirectUrl,
      scopes: 'openid email profile',
      roleClaim: 'roles',
      roles: new Map([
        ['a=b', ['viewer', 'operator']],
        ['c', ['admin']],
      ]),
      participantClaim: undefined,
      participants: new Map(),
      linksByEmail: false,
      createsUsers: false,
      mfaMethods: ['mfa', 'otp', 'hwk'],
      mfaContexts: [],
      clockToleranceSeconds: 30,
      sessionHours: 12,
      outboundAllow: [],
    })
  })

  test.each([
    [{ OIDC_ISSUER: 'id.harbour.example' }, 'OIDC_ISSUER must be the https://'],
    [{ OIDC_ISSUER: 'http://id.harbour.example', ENVIRONMENT: 'production' }, 'OIDC_ISSUER must be the https://'],
    [{ OIDC_ISSUER: 'https://id.harbour.example?x=1' }, 'OIDC_ISSUER must be the https://'],
    [{ OIDC_CLIENT_ID: '' }, 'OIDC_CLIENT_ID must be set where OIDC_ISSUER is'],
    [{ OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET must be set where OIDC_ISSUER is'],
    [{ OIDC_ROLES: '' }, 'OIDC_ROLES must be set where OIDC_ISSUER is'],
    [{ OIDC_ROLES: 'desk=king' }, 'OIDC_ROLES: "desk=king" is not value=one of admin, operator,'],
    [{ OIDC_ROLES: 'admin' }, 'OIDC_ROLES: "admin" is not value='],
    [{ OIDC_REDIRECT_URL: '/console' }, 'OIDC_REDIRECT_URL must be a URL'],
    [{ OIDC_SCOPES: 'email' }, 'OIDC_SCOPES must have openid among them'],
    [{ OIDC_PARTICIPANT_CLAIM: 'institution' }, 'OIDC_PARTICIPANT_CLAIM and OIDC_PARTICIPANTS are set both'],
    [
      { OIDC_PARTICIPANT_CLAIM: 'x', OIDC_PARTICIPANTS: 'harbour=1' },
      'OIDC_PARTICIPANTS: "harbour=1" is not value=the id',
    ],
    [{ OIDC_LINK_BY_EMAIL: 'yes' }, 'OIDC_LINK_BY_EMAIL must be one of on, off'],
    [{ OIDC_CLOCK_TOLERANCE: '301' }, 'OIDC_CLOCK_TOLERANCE must be a whole number'],
  ])('%p are refused', (env, words) => {
    expect(() => read(env)).toThrow(words)
  })

  test('no secret is shown', () => {
    expect(() => read({ OIDC_ROLES: 'x' })).not.toThrow(given.OIDC_CLIENT_SECRET)
  })
})
