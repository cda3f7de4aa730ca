// Log-ins to the console through the deployment's own provider (OpenID Connect). Provider and identity manager are real.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  type OpenIdProvider,
  openIdProvider,
  type Person,
  redirectUrl,
  secretOf,
} from '@bursar/testing/openid-provider'
import { openConsole, type TestConsole } from './console-harness'
import { echo } from './peers'

let provider: OpenIdProvider
let opened: TestConsole
beforeAll(async () => {
  provider = await openIdProvider()
  opened = await openConsole({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'bursar',
    OIDC_CLIENT_SECRET: secretOf('bursar'),
    OIDC_NAME: 'Harbour ID',
    OIDC_REDIRECT_URL: redirectUrl,
    OIDC_ROLES: 'desk-ops=operator,desk-readers=viewer,desk-admins=admin',
    OIDC_CREATE_USERS: 'on',
    FOUR_EYES_USD: '1000',
  })
})
afterAll(async () => {
  await opened?.close()
  await provider?.close()
})

let number = 0
let anna: Person
beforeEach(() => {
  const email = `anna-${++number}@harbour.example`
  anna = { sub: email, claims: { email, email_verified: true, name: 'Anna Berg', roles: ['desk-ops'] } }
})

const cookiesOf = (headers: Headers): Map<string, string> =>
  new Map(headers.getSetCookie().map((each) => [/^[^=]*/.exec(each)?.[0] ?? '', each]))
const pair = (cookie = '') => /^[^;]*/.exec(cookie)?.[0] ?? ''

/** As far as the provider has sent the browser back. */
async function begun(person: Person | null, body: object = {}) {
  const { status, body: answer, headers } = await opened.ask('/session/single-sign-on', { body })
  expect(status).toBe(200)
  const set = cookiesOf(headers).get('__Host-sign-on') ?? ''
  return { set, cookie: pair(set), query: await provider.logIn(answer.url, person), url: answer.url as string }
}
async function signOn(person: Person | null, body: object = {}) {
  const { cookie, query } = await begun(person, body)
  return await opened.ask('/session/single-sign-on/return', { cookie, body: { query } })
}
const acts = async (): Promise<{ id: string; action: string; actor: string; door: string; status: number }[]> =>
  (await opened.ask('/audit', { cookie: await opened.logIn() })).body.filter(({ action }: { action: string }) =>
    action.includes('single-sign-on'),
  )

test('the sign-in page gets the name of the provider', async () => {
  expect((await opened.ask('/session/single-sign-on')).body).toEqual({ name: 'Harbour ID' })
})

describe('a log-in', () => {
  test('opens a session, with the same cookies as one by password', async () => {
    const { set, cookie, query } = await begun(anna)
    expect(set).toMatch(/^__Host-sign-on=[\w-]{32}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=600$/)
    const answer = await opened.ask('/session/single-sign-on/return', { cookie, body: { query } })
    expect(answer.status).toBe(200)
    expect(answer.body.user).toMatchObject({ name: 'Anna Berg', roles: ['operator'] })
    expect(answer.text).not.toMatch(/eyJ|Token/)
    const byPassword = cookiesOf(
      (await opened.ask('/session', { body: { email: 'admin@bursar.example', password: 'seven grey herons at dawn' } }))
        .headers,
    )
    const given = cookiesOf(answer.headers)
    const flags = (name: string, of: Map<string, string>) => of.get(name)?.replace(/=[^;]*/, '')
    for (const name of ['__Host-session', '__Host-device'])
      expect(flags(name, given)).toBe(flags(name, byPassword) ?? '')
    expect(given.get('__Host-sign-on')).toContain('Max-Age=0')
    const session = pair(given.get('__Host-session'))
    expect((await opened.ask('/session', { cookie: session })).body.user.name).toBe('Anna Berg')
    expect((await opened.ask('/core/v1/transactions', { cookie: session })).status).toBe(200)
  })

  test('ends with the log-out; the session before it ends with it', async () => {
    const first = await signOn(anna)
    const { cookie, query } = await begun(anna)
    const old = pair(cookiesOf(first.headers).get('__Host-session'))
    const second = await opened.ask('/session/single-sign-on/return', { cookie: `${cookie}; ${old}`, body: { query } })
    expect((await opened.ask('/session', { cookie: old })).status).toBe(401)
    const own = pair(cookiesOf(second.headers).get('__Host-session'))
    expect((await opened.ask('/session', { method: 'DELETE', cookie: own })).status).toBe(200)
    expect((await opened.ask('/session', { cookie: own })).status).toBe(401)
  })

  test('is in the audit trail with the changes of the user, as is a refusal', async () => {
    const { id } = (await signOn(anna)).body.user
    await signOn({ ...anna, claims: { ...anna.claims, roles: ['cooks'] } })
    const [refusal, made] = await acts()
    const logIns = await opened.ask(`/audit?actor=${id}&action=${encodeURIComponent('POST /console/api/session')}`, {
      cookie: await opened.logIn(),
    })
    expect([made?.action, made?.actor, made?.door, made?.status]).toEqual([
      'POST /auth/single-sign-on/complete',
      id,
      'console',
      200,
    ])
    const detail = async (act = '') => (await opened.ask(`/audit/${act}`, { cookie: await opened.logIn() })).body
    expect((await detail(logIns.body[0].id)).request).toEqual({ by: 'provider' })
    expect((await detail(made?.id)).answer).toMatchObject({
      userId: id,
      account: 'created',
      rolesBefore: [],
      roles: ['operator'],
    })
    expect([refusal?.status, refusal?.actor]).toEqual([401, '127.0.0.1'])
    expect(await detail(refusal?.id)).toMatchObject({
      problem: 'Your account at Harbour ID has no role here: ask an administrator',
      // It took the roles of this user: the trail names it, by which its acts are found.
      object: id,
      answer: { issuer: provider.issuer, subject: anna.sub, email: anna.sub, userId: id, rolesBefore: ['operator'] },
    })
  })

  test('through the API is in the audit trail as well', async () => {
    const post = async (path: string, body: object) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const answer = await fetch(`${opened.url}/identity/v1/auth/single-sign-on/${path}`, init)
      return ((await answer.json()) as { data: Record<string, string> & { user: { id: string } } }).data
    }
    const { url = '', attempt } = await post('begin', {})
    const data = await post('complete', { attempt, query: await provider.logIn(url, anna) })
    expect(data.accessToken).toBeTruthy()
    const [act] = await acts()
    expect(act).toMatchObject({ actor: data.user.id, door: 'api', status: 200 })
  })
})

describe('401 without a session for', () => {
  const refused = async (answer: { status: number; headers: Headers }) => {
    expect(answer.status).toBe(401)
    expect(cookiesOf(answer.headers).has('__Host-session')).toBe(false)
  }

  test('a browser that began no log-in: the answer of another browser’s is refused', async () => {
    const { query } = await begun(anna)
    await refused(await opened.ask('/session/single-sign-on/return', { body: { query } }))
    const other = await begun(null)
    await refused(await opened.ask('/session/single-sign-on/return', { cookie: other.cookie, body: { query } }))
    const own = await begun(anna)
    const cookie = `${own.cookie}; ${other.cookie}`
    await refused(await opened.ask('/session/single-sign-on/return', { cookie, body: { query: own.query } }))
  })

  test('an answer that is used twice', async () => {
    const { cookie, query } = await begun(anna)
    expect((await opened.ask('/session/single-sign-on/return', { cookie, body: { query } })).status).toBe(200)
    await refused(await opened.ask('/session/single-sign-on/return', { cookie, body: { query } }))
  })

  test('a log-in that the provider refuses', async () => {
    const answer = await signOn(null)
    await refused(answer)
    expect(answer.body.error.message).toBe('Harbour ID has refused the log-in: access_denied')
  })
})

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['no page at all', { 'x-console': null }],
])('403 for %s', async (_, headers) => {
  for (const [path, body] of [
    ['', {}],
    ['/return', { query: 'code=x' }],
  ] as const) {
    expect((await opened.ask(`/session/single-sign-on${path}`, { body, headers })).status).toBe(403)
  }
})

describe('a decision that takes two persons', () => {
  const transaction = '01a1fe8f-0000-7000-8000-0000000000e1'
  beforeAll(() =>
    opened.core.answer(async (request) =>
      request.url.endsWith('/review') ? Response.json({ required: 2, approvals: [] }) : await echo(request),
    ),
  )
  const approve = async (answer: { headers: Headers }) => {
    const cookie = pair(cookiesOf(answer.headers).get('__Host-session'))
    const path = `/core/v1/transactions/${transaction}/approve-frozen-withdrawal`
    const { status, body } = await opened.ask(path, { body: {}, cookie })
    return [status, body.error?.code]
  }

  test('takes a fresh second factor: a user who showed one at the provider some time ago logs in there again', async () => {
    const withBoth = { ...anna, amr: ['pwd', 'mfa'] }
    expect(await approve(await signOn(withBoth))).toEqual([403, 'SECOND_FACTOR_NEEDED'])
    expect(await approve(await signOn(withBoth, { fresh: true }))).toEqual([200, undefined])
  })

  test('in a sandbox needs none from a user without one', async () => {
    expect(await approve(await signOn(anna, { fresh: true }))).toEqual([200, undefined])
  })
})

test('without a provider none is named, and no log-in begins', async () => {
  const own = await openConsole()
  expect((await own.ask('/session/single-sign-on')).body).toEqual({ name: null })
  expect((await own.ask('/session/single-sign-on', { body: {} })).status).toBe(404)
  await own.close()
})
