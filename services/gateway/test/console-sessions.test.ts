import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { admin, openConsole, ownPage, type TestConsole } from './console-harness'

let consoles: TestConsole
beforeAll(async () => {
  consoles = await openConsole()
})
afterAll(() => consoles?.close())
afterEach(() => {
  setSystemTime()
})

const ask: TestConsole['ask'] = (...given) => consoles.ask(...given)
const codeOf = ({ status, body }: { status: number; body: { error?: { code?: string } } }) => [
  status,
  body?.error?.code,
]

describe('logging in', () => {
  test('sets a cookie that no script can read, and answers with the user', async () => {
    const answer = await ask('/session', { body: admin })
    expect(answer.status).toBe(200)
    const [session, device] = answer.headers.getSetCookie()
    expect(session).toMatch(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=43200$/)
    expect(device).toMatch(/^__Host-device=[\w.-]{60,}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=15552000$/)
    expect(answer.body).toEqual({
      user: {
        id: expect.any(String),
        email: admin.email,
        name: 'Administrator',
        roles: ['admin'],
        participantId: null,
        custodianId: null,
      },
      sessionId: expect.any(String),
      mustChangePassword: false,
      mustEnrol: false,
      environment: 'sandbox',
      idleUntil: expect.any(String),
      endsAt: expect.any(String),
      fourEyesUsd: null,
      preferences: {},
    })
    const again = await ask('/session', { cookie: answer.cookie })
    expect([again.status, again.body.user]).toEqual([200, answer.body.user])
    expect(again.headers.get('cache-control')).toBe('no-store')
  })

  test('401 as the API answers it, without a cookie', async () => {
    const answer = await ask('/session', { body: { ...admin, password: 'wrong' } })
    expect(codeOf(answer)).toEqual([401, 'UNAUTHORIZED'])
    expect(answer.body.error.message).toBe('The address or the password is wrong')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('400 for a malformed log-in', async () => {
    expect((await ask('/session', { body: { email: admin.email } })).status).toBe(400)
    expect((await ask('/session', { body: [] })).status).toBe(400)
  })

  test('ends the session that the browser had before', async () => {
    const first = await consoles.logIn()
    const second = await ask('/session', { body: admin, cookie: first })
    expect(second.status).toBe(200)
    expect((await ask('/session', { cookie: first })).status).toBe(401)
    expect((await ask('/session', { cookie: second.cookie })).status).toBe(200)
  })
})

describe('401: invalid cookies', () => {
  test.each([
    null,
    '__Host-session=',
    `__Host-session=${'A'.repeat(43)}`,
    `__Host-session=${'A'.repeat(42)}`,
    `session=${'A'.repeat(43)}`,
  ])('%s', async (cookie) => {
    for (const path of ['/session', '/core/v1/transactions']) {
      expect(codeOf(await ask(path, { cookie }))).toEqual([401, 'UNAUTHORIZED'])
    }
  })

  test('two cookies, a name without its prefix, a changed value', async () => {
    const cookie = await consoles.logIn()
    const other = `__Host-session=${'A'.repeat(43)}`
    for (const sent of [`${other}; ${cookie}`, `${cookie}; ${other}`, cookie.replace('__Host-', ''), `${cookie}x`]) {
      expect((await ask('/session', { cookie: sent })).status).toBe(401)
    }
    expect((await ask('/session', { cookie: `theme=dark; ${cookie}; zone=utc` })).status).toBe(200)
  })
})

describe('the end of a session', () => {
  const minute = 60_000
  const startAt = Date.parse('2026-03-02T08:00:00.000Z')
  const at = (ms: number) => setSystemTime(new Date(startAt + ms))

  test('30 minutes after its last use', async () => {
    at(0)
    const cookie = await consoles.logIn()
    at(29 * minute)
    const used = await ask('/session', { cookie })
    expect([used.status, used.body.idleUntil]).toEqual([200, '2026-03-02T08:59:00.000Z'])
    at(58 * minute)
    expect((await ask('/core/v1/assets', { cookie })).status).toBe(200)
    at(88 * minute)
    expect((await ask('/session', { cookie })).status).toBe(401)
    // For good: a clock that is put back does not bring it back.
    at(60 * minute)
    expect((await ask('/session', { cookie })).status).toBe(401)
  })

  test('requests that no person made do not prolong it', async () => {
    at(0)
    const cookie = await consoles.logIn()
    at(20 * minute)
    const headers = { 'x-console-background': '1' }
    const polled = await ask('/session', { cookie, headers })
    expect([polled.status, polled.body.idleUntil]).toEqual([200, '2026-03-02T08:30:00.000Z'])
    at(31 * minute)
    expect((await ask('/session', { cookie, headers })).status).toBe(401)
  })

  test('12 hours after the log-in, however much it is used', async () => {
    at(0)
    const cookie = await consoles.logIn()
    for (let minutes = 25; minutes < 12 * 60; minutes += 25) {
      at(minutes * minute)
      const { status, body } = await ask('/session', { cookie })
      expect([minutes, status, body.endsAt]).toEqual([minutes, 200, '2026-03-02T20:00:00.000Z'])
    }
    at(12 * 60 * minute)
    expect((await ask('/session', { cookie })).status).toBe(401)
  })

  test('after logging out, a copy of the cookie is invalid', async () => {
    const cookie = await consoles.logIn()
    const answer = await ask('/session', { method: 'DELETE', cookie })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      200,
      '__Host-session=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0',
    ])
    for (const path of ['/session', '/core/v1/assets']) expect((await ask(path, { cookie })).status).toBe(401)
    expect((await ask('/session', { method: 'DELETE', cookie })).status).toBe(401)
  })

  test('logging out everywhere ends those of other browsers and of programs', async () => {
    const [here, there] = [await consoles.logIn(), await consoles.logIn()]
    const identity = consoles.platform.to('gateway', '/identity/v1')
    const { data } = (await identity.post('/auth/login', admin)).body
    expect((await ask('/session?everywhere=true', { method: 'DELETE', cookie: here })).status).toBe(200)
    for (const cookie of [here, there]) expect((await ask('/session', { cookie })).status).toBe(401)
    expect((await identity.post('/auth/refresh', { refreshToken: data.refreshToken })).status).toBe(401)
  })

  test('the identity manager revokes it', async () => {
    const [mine, other] = [await consoles.logIn(), await consoles.logIn()]
    const { sessionId } = (await ask('/session', { cookie: other })).body
    const ended = await ask(`/identity/v1/users/sessions/${sessionId}`, { method: 'DELETE', cookie: mine })
    expect(ended.status).toBe(200)
    await consoles.platform.settle()
    expect((await ask('/session', { cookie: other })).status).toBe(401)
    expect((await ask('/session', { cookie: mine })).status).toBe(200)
  })
})

describe('cross-site requests', () => {
  const write = async (headers: Record<string, string | null>, cookie: string | null) =>
    codeOf(await ask('/core/v1/assets', { body: {}, headers, cookie }))

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ 'sec-fetch-site': null }],
    [{ 'x-console': null }],
    [{ 'x-console': '0' }],
    [{ 'sec-fetch-site': null, 'x-console': null }],
  ])('403: a write with %j', async (headers) => {
    const cookie = await consoles.logIn()
    expect(await write(headers, cookie)).toEqual([403, 'FORBIDDEN'])
    for (const [path, method] of [
      ['/session', 'DELETE'],
      ['/session', 'POST'],
      ['/session/password', 'POST'],
      ['/session/forgot', 'POST'],
    ] as const) {
      const body = { ...admin, currentPassword: admin.password, newPassword: 'nine tall windmills' }
      const answer = await ask(path, { method, headers, cookie, body: path.endsWith('forgot') ? admin : body })
      expect([path, ...codeOf(answer)]).toEqual([
        path,
        method === 'POST' && path !== '/session' ? 403 : 403,
        'FORBIDDEN',
      ])
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    expect((await ask('/session', { cookie })).status).toBe(200)
  })

  test('403: a read from another site, also with the cookie', async () => {
    const cookie = await consoles.logIn()
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site, 'x-console': null }
      expect(codeOf(await ask('/core/v1/assets', { cookie, headers }))).toEqual([403, 'FORBIDDEN'])
      expect(codeOf(await ask('/session', { cookie, headers }))).toEqual([403, 'FORBIDDEN'])
    }
    // A link to a file that the page offers, and an address that is typed.
    for (const site of ['same-origin', 'none']) {
      const headers = { 'sec-fetch-site': site, 'x-console': null }
      expect((await ask('/core/v1/assets', { cookie, headers })).status).toBe(200)
    }
  })

  test('a preflight gets no permission', async () => {
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-console',
      'sec-fetch-site': 'cross-site',
    }
    for (const path of ['/session', '/core/v1/assets']) {
      const answer = await ask(path, { method: 'OPTIONS', headers })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      expect(answer.headers.get('access-control-allow-headers')).toBeNull()
    }
  })
})

describe('the cookie is accepted', () => {
  test('below /console/api alone', async () => {
    const cookie = await consoles.logIn()
    for (const path of ['/core/v1/assets', '/identity/v1/users/profile', '/main/v1/admin/users']) {
      const answer = await fetch(consoles.url + path, { headers: { ...ownPage, cookie } })
      expect([path, answer.status]).toEqual([path, 401])
    }
  })

  test('and nothing else is accepted there: no access token, no API key', async () => {
    const identity = consoles.platform.to('gateway', '/identity/v1')
    const { data } = (await identity.post('/auth/login', admin)).body
    const headers = { authorization: `Bearer ${data.accessToken}`, 'x-api-key': 'sk_test_whatever' }
    expect(codeOf(await ask('/core/v1/assets', { headers }))).toEqual([401, 'UNAUTHORIZED'])
    expect(codeOf(await ask('/session', { headers }))).toEqual([401, 'UNAUTHORIZED'])
    const cookie = await consoles.logIn()
    const wrong = { authorization: 'Bearer nonsense', 'x-api-key': 'nonsense' }
    expect((await ask('/core/v1/assets', { cookie, headers: wrong })).status).toBe(200)
  })
})
