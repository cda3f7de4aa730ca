import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { admin, openConsole, type TestConsole } from './console-harness'

const codeOf = ({ status, body }: { status: number; body: { error?: { code?: string } } }) => [
  status,
  body?.error?.code,
]

describe('the cookie needs TLS', () => {
  let consoles: TestConsole
  beforeAll(async () => {
    consoles = await openConsole()
  })
  afterAll(() => consoles?.close())
  const ask: TestConsole['ask'] = (...given) => consoles.ask(...given)

  test('403: a log-in under a name that is not this machine’s, without TLS', async () => {
    const headers = { host: 'desk.bank.example' }
    expect(codeOf(await ask('/session', { body: admin, headers }))).toEqual([403, 'FORBIDDEN'])
    // Anybody can write this header; it counts from a trusted proxy alone.
    const claimed = { ...headers, 'x-forwarded-proto': 'https' }
    expect(codeOf(await ask('/session', { body: admin, headers: claimed }))).toEqual([403, 'FORBIDDEN'])
  })
})

describe('behind a proxy that ends TLS', () => {
  let proxied: TestConsole
  beforeAll(async () => {
    proxied = await openConsole({
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT_LOGIN: '3',
      GATEWAY_HOSTS: 'desk.bank.example',
    })
  })
  afterAll(() => proxied?.close())

  const host = { host: 'desk.bank.example' }

  test('its X-Forwarded-Proto counts, the last one of several', async () => {
    const logIn = (proto: string | null, from: string) =>
      proxied.ask('/session', {
        body: admin,
        headers: { ...host, 'x-forwarded-proto': proto, 'x-forwarded-for': from },
      })
    expect((await logIn('http', '192.0.2.1')).status).toBe(403)
    expect((await logIn(null, '192.0.2.1')).status).toBe(403)
    expect((await logIn('https, http', '192.0.2.1')).status).toBe(403)
    const answer = await logIn('http, HTTPS', '192.0.2.1')
    expect([answer.status, answer.cookie?.split('=')[0]]).toEqual([200, '__Host-session'])
    const headers = { ...host, 'x-forwarded-proto': 'https' }
    expect((await proxied.ask('/session', { cookie: answer.cookie, headers })).status).toBe(200)
    expect((await proxied.ask('/session', { headers: { host: 'evil.example' } })).status).toBe(400)
  })

  test('log-ins share the limit of the API by address', async () => {
    const from = (address: string) => ({ ...host, 'x-forwarded-proto': 'https', 'x-forwarded-for': address })
    const wrong = { email: 'guessed@bursar.example', password: 'wrong' }
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) {
      statuses.push((await proxied.ask('/session', { body: wrong, headers: from('192.0.2.20') })).status)
    }
    expect(statuses).toEqual([401, 401, 401])
    const limited = await proxied.ask('/session', { body: wrong, headers: from('192.0.2.20') })
    expect(codeOf(limited)).toEqual([429, 'RATE_LIMITED'])
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    const direct = await fetch(`${proxied.url}/identity/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.20' },
      body: JSON.stringify(wrong),
    })
    expect(direct.status).toBe(429)
    expect((await proxied.ask('/session', { body: wrong, headers: from('192.0.2.21') })).status).toBe(401)
  })
})

test('a browser that has logged in before is known again, by a cookie that no script can read', async () => {
  const opened = await openConsole()
  const first = await opened.ask('/session', { body: admin })
  const [device = ''] = first.headers.getSetCookie()[1]?.split(';') ?? []
  // More failures than slow an account down, from addresses that the identity manager takes one by one.
  for (let i = 0; i < 4; i++) await opened.ask('/session', { body: { ...admin, password: 'wrong' } })
  const wrong = { body: { ...admin, password: 'wrong' }, cookie: device }
  // Its own five are its own.
  for (let i = 0; i < 5; i++) expect((await opened.ask('/session', wrong)).status).toBe(401)
  expect((await opened.ask('/session', wrong)).status).toBe(429)
  await opened.close()
})

describe('requests are counted by user, over all its sessions', () => {
  let limited: TestConsole
  beforeAll(async () => {
    limited = await openConsole({ RATE_LIMIT_PER_SECOND: '10' })
  })
  afterAll(() => limited?.close())
  afterEach(() => void setSystemTime())
  /** No more are granted, however long the requests take: in a second a user gets ten. */
  const holdClock = () => setSystemTime(new Date())

  test('429 for the user of many sessions, while another one goes on', async () => {
    const other = await limited.logIn(await limited.member({ role: 'viewer' }))
    const cookies = [await limited.logIn(), await limited.logIn(), await limited.logIn()]
    holdClock()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => limited.ask('/session', { cookie: cookies[i % 3] ?? null })),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(30)
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect((await limited.ask('/session', { cookie: other })).status).toBe(200)
  })

  test.each(['/audit', '/search?q=bank', '/health'])('the console’s own %s as well', async (path) => {
    const cookie = await limited.logIn()
    holdClock()
    const answers = await Promise.all(Array.from({ length: 40 }, () => limited.ask(path, { cookie })))
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(10)
  })
})
