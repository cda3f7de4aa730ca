// Users log in through the deployment's identity provider (OpenID Connect). The provider is a real one.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type OpenIdProvider, openIdProvider, redirectUrl } from '@bursar/testing/openid-provider'
import { admin, openService, refused, type TestIdentityManager } from './harness'
import { claimsOf, sessionCalls } from './session-calls'
import { personOf, settingsFor, signOnCalls, withPatience } from './sign-on'

withPatience()
let provider: OpenIdProvider
let service: TestIdentityManager
beforeAll(async () => {
  provider = await openIdProvider()
})
afterAll(() => provider.close())
beforeEach(async () => {
  provider.asked = []
  provider.alter = (answer) => answer
  service = await openService({ env: settingsFor(provider) })
})
afterEach(() => service.close())
const { begin, complete, signOn } = signOnCalls(
  () => service,
  () => provider,
)
const { refresh, revocations } = sessionCalls(() => service)
const anna = personOf('anna.berg@harbour.example', ['desk-ops'])
const notValid = 'The log-in through Harbour ID is not valid: begin again'
const noUser = 'No user here logs in by your account at Harbour ID: ask an administrator'
const noRole = 'Your account at Harbour ID has no role here: ask an administrator'

describe('a log-in', () => {
  test('returns tokens of a user that the provider knows; the provider is not called before', async () => {
    expect(provider.asked).toEqual([])
    const { status, body, headers } = await signOn(anna)
    expect(status).toBe(200)
    const { user, signOn: said, ...tokens } = body.data
    expect(user).toMatchObject({
      email: 'anna.berg@harbour.example',
      name: 'Name of anna.berg@harbour.example',
      roles: ['operator'],
    })
    expect(said).toEqual({
      userId: user.id,
      account: 'created',
      rolesBefore: [],
      roles: ['operator'],
      secondFactorAt: null,
    })
    expect(claimsOf(tokens.accessToken)).toMatchObject({ sub: user.id, roles: ['operator'], participantId: null })
    expect(headers.get('x-device-token')).toBeTruthy()
    expect((await refresh(tokens.refreshToken)).status).toBe(200)
    expect(provider.asked).toEqual([
      'GET /.well-known/openid-configuration',
      'GET /auth',
      'GET /interaction/:id',
      'GET /auth/:id',
      'POST /token',
      'GET /jwks',
    ])
  })

  test('of somebody known is found by the provider’s name for it, whatever its address is by then', async () => {
    const { id } = (await signOn(anna)).body.data.user
    const renamed = { ...anna, claims: { ...anna.claims, email: 'anna.holm@harbour.example' } }
    const { user, signOn: said } = (await signOn(renamed)).body.data
    expect([user.id, user.email, said.account]).toEqual([id, 'anna.berg@harbour.example', 'known'])
    const other = {
      ...anna,
      sub: 'another account with her address',
      claims: { ...anna.claims, email_verified: false },
    }
    expect(refused(await signOn(other), 401).message).toBe(noUser)
  })

  test('sends the browser with PKCE, a state and a nonce, each another every time', async () => {
    const sent = await Promise.all([begin(), begin()])
    const [one, two] = sent.map(({ url }) => new URL(url).searchParams)
    expect(Object.fromEntries(one ?? [])).toMatchObject({
      client_id: 'bursar',
      redirect_uri: redirectUrl,
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one?.get(name)?.length).toBeGreaterThan(30)
      expect(one?.get(name)).not.toBe(two?.get(name) ?? '')
    }
    expect(one?.get('prompt')).toBeNull()
    expect(provider.asked).toEqual(['GET /.well-known/openid-configuration'])
    expect(sent[0]?.attempt).not.toBe(sent[1]?.attempt)
  })

  test('ends with the session; that at the provider is its own', async () => {
    const { refreshToken, user } = (await signOn(anna)).body.data
    expect((await service.post('/auth/logout', { refreshToken })).status).toBe(200)
    expect((await refresh(refreshToken)).status).toBe(401)
    expect([...(await revocations()).values()].map(({ userId }) => userId)).toEqual([user.id])
  })

  test('401 where the provider refuses it', async () => {
    expect(refused(await signOn(null), 401).message).toBe('Harbour ID has refused the log-in: access_denied')
  })
})

describe('401, and no session, for', () => {
  const nobody = async (answer: Awaited<ReturnType<typeof complete>>, message = notValid) => {
    expect(refused(answer, 401)).toMatchObject({ code: 'UNAUTHORIZED', message })
    expect(
      (await service.get('/internal/users?limit=100', await service.asService('main-api'))).body.data,
    ).toHaveLength(1)
  }

  test('another state', async () => {
    const { url, attempt } = await begin()
    const query = new URLSearchParams(await provider.logIn(url, anna))
    query.set('state', 'another')
    await nobody(await complete(attempt, query.toString()))
    expect(provider.asked).not.toContain('POST /token')
  })

  test('no state, no code, another issuer, or two codes', async () => {
    for (const spoil of [
      (query: URLSearchParams) => query.delete('state'),
      (query: URLSearchParams) => query.delete('code'),
      (query: URLSearchParams) => query.set('iss', 'https://another.example'),
      (query: URLSearchParams) => query.append('code', 'another'),
    ]) {
      const { url, attempt } = await begin()
      const query = new URLSearchParams(await provider.logIn(url, anna))
      spoil(query)
      await nobody(await complete(attempt, query.toString()))
    }
    expect(provider.asked).not.toContain('POST /token')
  })

  test('what another browser began: its code with the own attempt, whatever the state', async () => {
    const [own, others] = [await begin(), await begin()]
    const stolen = new URLSearchParams(await provider.logIn(others.url, anna))
    await nobody(await complete(own.attempt, stolen.toString()))
    const again = await begin()
    stolen.set('state', new URL(again.url).searchParams.get('state') ?? '')
    await nobody(await complete(again.attempt, stolen.toString()))
    expect(provider.asked.filter((each) => each === 'POST /token')).toHaveLength(1)
  })

  test('an ID token of another log-in (nonce), of another client (audience), or with another signature', async () => {
    const tokens: string[] = []
    provider.alter = (answer) => {
      tokens.push(answer.id_token)
      return answer
    }
    const { url, attempt } = await begin()
    await complete(attempt, await provider.logIn(url, { ...anna, claims: { ...anna.claims, roles: [] } }))
    const other = await openService({
      env: settingsFor(provider, {
        OIDC_CLIENT_ID: 'other',
        OIDC_CLIENT_SECRET: 'other: thirty lilac barges on the canal',
      }),
    })
    await signOnCalls(
      () => other,
      () => provider,
    ).signOn(anna)
    await other.close()
    const [ofAnotherLogIn = '', ofAnotherClient = ''] = tokens
    expect(claimsOf(ofAnotherClient)).toMatchObject({ aud: 'other' })
    for (const idToken of [
      () => ofAnotherLogIn,
      () => ofAnotherClient,
      forged,
      (own: string) => own.replace(/\.[^.]*$/, '.'),
    ]) {
      provider.alter = (answer) => ({ ...answer, id_token: idToken(answer.id_token) })
      await nobody(await signOn(anna))
    }
  })

  test.each([
    ['half a surrogate pair, which no database tells from another', '\ud800'],
    ['a NUL', 'sub of\u0000the director'],
    ['more than 255 characters', 'x'.repeat(256)],
  ])('a subject of %s', async (_, sub) => {
    await nobody(await signOn({ ...anna, sub }))
    await nobody(
      await signOn({ ...personOf('other@harbour.example', ['desk-admins']), sub: sub.replace('\ud800', '\ud801') }),
    )
  })

  test('no ID token', async () => {
    provider.alter = ({ id_token: _, ...answer }) => answer as never
    await nobody(await signOn(anna))
  })

  test('an attempt that was never begun, or is over', async () => {
    const message = 'The log-in has taken too long, or was done in another window: begin again'
    const { url } = await begin()
    const query = await provider.logIn(url, anna)
    await nobody(await complete('6vJrB0ZbC0vQ3yq1o2m4mS0mZl1W8yJk', query), message)
  })
})

/** Says that it is somebody else, and is signed as before. */
function forged(token: string): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'sub of the director' }
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
}

test('401 for what comes twice: it is redeemed once, however often it comes at once', async () => {
  const { url, attempt } = await begin()
  const query = await provider.logIn(url, anna)
  const answers = await Promise.all([complete(attempt, query), complete(attempt, query)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  expect(provider.asked.filter((each) => each === 'POST /token')).toHaveLength(1)
})

describe('by the address', () => {
  test('an existing user is found where the provider has verified it; the user is told', async () => {
    const member = await service.member({ role: 'viewer' })
    const person = personOf(member.email.toUpperCase(), ['desk-ops'])
    const { user, signOn: said } = (await signOn(person)).body.data
    expect(user).toMatchObject({ id: member.id, email: member.email, name: member.name, roles: ['operator'] })
    expect(said).toMatchObject({ account: 'linked', rolesBefore: ['viewer'], roles: ['operator'] })
    expect((await service.mailsTo(member.email)).at(-1)).toContain('Subject: Another way to log in to Bursar')
    expect((await service.logIn(member.email, member.password)).status).toBe(200)
    expect((await signOn(person)).body.data.signOn.account).toBe('known')
  })

  test.each([
    ['is not said to be verified', undefined],
    ['is not verified', false],
    ['is verified in so many letters', 'true'],
  ])('no user is found, or made beside it, where it %s', async (_, email_verified) => {
    const member = await service.member({ role: 'viewer' })
    const { claims } = personOf(member.email, ['desk-admins'])
    const answer = await signOn({ sub: 'stranger', claims: { ...claims, email_verified } })
    expect(refused(answer, 401)).toMatchObject({
      message: noUser,
      details: { issuer: provider.issuer, subject: 'stranger', email: member.email },
    })
    expect((await service.get(`/internal/users/${member.id}`, await service.asService('main-api'))).body.roles).toEqual(
      ['viewer'],
    )
  })

  test('who has no role takes none from the user whose address it has', async () => {
    const member = await service.member({ role: 'viewer' })
    expect(refused(await signOn(personOf(member.email, ['cooks'])), 401).message).toBe(noRole)
    expect((await service.logIn(member.email, member.password)).body.data.user.roles).toEqual(['viewer'])
  })

  test('an invited user becomes active, and its invitation is void', async () => {
    const email = 'invited@bank.example'
    const body = { email, name: 'Ida', roleNames: ['viewer'], participantId: null, custodianId: null }
    await service.create('/internal/users', body, await service.asService('main-api'))
    const token = await service.tokenFor(email)
    expect((await signOn(personOf(email, ['desk-readers']))).status).toBe(200)
    const { body: users } = await service.get('/users?q=invited')
    expect(users.data).toMatchObject([{ email, status: 'ACTIVE' }])
    const answer = await service.post(`/auth/change-password/${token}`, { password: 'nineteen quiet otters' })
    expect(answer.status).toBe(400)
  })

  test('a user has one account at the provider', async () => {
    const member = await service.member({ role: 'viewer' })
    expect((await signOn(personOf(member.email, ['desk-readers']))).status).toBe(200)
    const second = personOf(member.email, ['desk-readers'], { sub: 'a second account' })
    expect(refused(await signOn(second), 401).message).toBe(noUser)
  })
})

test('without the settings for it nobody is found by an address, and nobody is made', async () => {
  const own = await openService({ env: settingsFor(provider, { OIDC_LINK_BY_EMAIL: '', OIDC_CREATE_USERS: '' }) })
  const calls = signOnCalls(
    () => own,
    () => provider,
  )
  for (const person of [personOf(admin.email, ['desk-admins']), anna]) {
    expect(refused(await calls.signOn(person), 401).message).toBe(noUser)
  }
  await own.close()
})
