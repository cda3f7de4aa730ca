import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { until } from '@bursar/testing'
import { openGateway, refused, type TestGateway } from './harness'
import { sendRaw } from './raw'

const bank = '01a1fe8f-0000-7000-8000-0000000000b1'
const withKey = { 'x-api-key': 'sk_test_doors' }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openGateway({ CORS_ORIGINS: 'https://desk.example', GATEWAY_HOSTS: 'api.bank.example' })
  gateway.main.issue(withKey['x-api-key'], { participantId: bank })
})
afterEach(() => void setSystemTime())
afterAll(() => gateway?.close())

/** A request as somebody would type it: no client in between folds or refuses anything. */
const type = (lines: string[], body = '') =>
  sendRaw(gateway.url, `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
/** Of a pipelined request, which may come after its connection has ended. */
const pipelined = '/v1/categories'
const seen = () =>
  [gateway.quote, gateway.core, gateway.tracker]
    .flatMap((peer) => peer.requests)
    .filter(({ path }) => path !== pipelined)
/** The last request to the quote service. */
const lastOfQuote = () => gateway.quote.requests.findLast(({ path }) => path !== pipelined)

describe('paths, as they are typed', () => {
  test.each([
    '/quote/v1/internal/x',
    '/quote/internal/x',
    '/quote/v1/assets/../internal/x',
    '/quote/v1/assets/%2e%2e/internal/x',
    '/quote/v1/assets/..%2finternal/x',
    '/quote/v1/assets/..%5cinternal/x',
    '/quote/v1//internal/x',
    '//quote//internal/x',
    '/quote/v1/./internal/x',
    '/quote/v1\\internal\\x',
    '/quote/v1%2finternal/x',
    '/quote/v1/%69nternal/x',
    '/quote/v1/internal#/assets',
    '/quote/v1/internal?x=/assets',
    '/quote/v1/metrics',
    '/quote/metrics',
    '/core/swagger/json',
    '/api/v1/core/../../../core/internal/x',
    '/tracker/v1/tracker/internal/x',
    'http://127.0.0.1/quote/v1/internal/x',
    '/quote/v1/internal%00',
    '/quote/v1/%',
  ])('%s reaches no service', async (path) => {
    const before = seen().length
    for (const version of ['HTTP/1.1', 'HTTP/1.0']) {
      const answer = await type([`GET ${path} ${version}`, 'Host: localhost', `X-Api-Key: ${withKey['x-api-key']}`])
      expect([400, 404]).toContain(statusOf(answer))
    }
    expect(seen().length).toBe(before)
  })

  test('the service gets the normalised path that was checked', async () => {
    const answer = await type([
      'GET /customer/%2e%2e/quote//v1/./assets/ HTTP/1.1',
      'Host: localhost',
      'X-Api-Key: sk_test_doors',
    ])
    expect(statusOf(answer)).toBe(200)
    expect(lastOfQuote()?.path).toBe('/v1/assets')
  })
})

describe('header smuggling', () => {
  const head = [
    'POST /quote/v1/assets HTTP/1.1',
    'Host: localhost',
    'X-Api-Key: sk_test_doors',
    'Content-Type: application/json',
  ]
  const smuggled = 'GET /quote/v1/internal/x HTTP/1.1\r\nHost: localhost\r\n\r\n'

  test.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 60'], `{}${smuggled}`],
    ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
    ['an unknown coding', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled}`],
    ['a space before the colon', ['Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`],
    ['a signed length', ['Content-Length: +2'], '{}'],
    ['a folded line', ['X-A: b', ' x-identity: forged', 'Content-Length: 2'], '{}'],
    ['a control character', ['X-A: b\u0000c', 'Content-Length: 2'], '{}'],
    ['a bare line feed in a name', ['X-A\nx-identity: forged', 'Content-Length: 2'], '{}'],
  ])('%s: 400, and no service is asked', async (_, lines, body) => {
    const before = seen().length
    expect(statusOf(await type([...head, ...lines], body))).toBe(400)
    expect(seen().length).toBe(before)
  })

  test.each([
    ['X-Identity', 'forged'],
    ['X-IDENTITY', 'forged'],
    ['x_identity', 'forged'],
    ['X-Forwarded-For', '203.0.113.1'],
    ['X-Forwarded-Host', 'evil.example'],
    ['Forwarded', 'for=203.0.113.1'],
    ['X-Real-IP', '203.0.113.1'],
    ['Connection', 'x-identity, x-forwarded-for'],
    ['Upgrade', 'h2c'],
    ['Expect', '200-ok'],
    ['Cookie', 'session=1'],
    ['Host', 'evil.example'],
  ])('%s set by the caller does not reach the service', async (name, value) => {
    const answer = await type([...head, `${name}: ${value}`, 'Content-Length: 2'], '{}')
    if (statusOf(answer) !== 200) return expect(statusOf(answer)).toBe(400)
    const { headers } = lastOfQuote() ?? { headers: new Headers() }
    expect([...headers.values()].join(' ')).not.toContain(value)
    expect(headers.get('x-forwarded-for')).toBe('127.0.0.1')
    expect(await gateway.callerIn(Object.fromEntries(headers), 'quote')).toMatchObject({ subject: bank })
  })

  test('a pipelined request does not share the credentials of the one before it', async () => {
    const first = [`GET /quote${pipelined} HTTP/1.1`, 'Host: localhost', 'X-Api-Key: sk_test_doors', '', ''].join(
      '\r\n',
    )
    const second = ['GET /quote/v1/assets HTTP/1.1', 'Host: localhost', 'Connection: close', '', ''].join('\r\n')
    const before = gateway.quote.requests.length
    const answer = await sendRaw(gateway.url, first + second, (got) => got.includes('UNAUTHORIZED'))
    // Bun may hang up on requests that do not wait for the answer before.
    expect(answer.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(gateway.quote.requests.length - before).toBeLessThanOrEqual(1)
  })
})

describe('pages of other origins', () => {
  const path = '/quote/v1/assets'
  const page = (origin: string) => ({ ...withKey, origin })

  test('an origin in CORS_ORIGINS may call, and read the answer and its headers', async () => {
    const { status, headers } = await gateway.get(path, page('https://desk.example'))
    expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
      200,
      'https://desk.example',
      'origin',
    ])
    expect(headers.get('access-control-expose-headers')).toContain('ratelimit')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(lastOfQuote()?.headers.get('origin')).toBeNull()
  })

  test('its preflight needs no credentials', async () => {
    const asked = { origin: 'https://desk.example', 'access-control-request-method': 'POST' }
    const before = seen().length
    const { status, headers } = await gateway.ask('OPTIONS', path, undefined, asked)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, 'https://desk.example'])
    expect(headers.get('access-control-allow-headers')).toContain('x-api-key')
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(seen().length).toBe(before)
  })

  test('it can read a refusal too', async () => {
    const { status, headers } = await gateway.get(path, { origin: 'https://desk.example' })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, 'https://desk.example'])
  })

  test.each([
    'https://evil.example',
    'https://desk.example.evil',
    'http://desk.example',
    'null',
    'https://sub.desk.example',
  ])('%s is not listed: 400, as is its preflight', async (origin) => {
    const before = seen().length
    const answer = await gateway.get(path, page(origin))
    expect(refused(answer, 400).code).toBe('INVALID_REQUEST')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const preflight = { origin, 'access-control-request-method': 'POST' }
    expect((await gateway.ask('OPTIONS', path, undefined, preflight)).status).toBe(400)
    expect(seen().length).toBe(before)
  })

  test('a request of another site without an origin: 400', async () => {
    const headers = { ...withKey, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
    expect((await gateway.get(path, headers)).status).toBe(400)
  })

  test('the gateway’s own pages may call', async () => {
    expect((await gateway.get(path, page(gateway.url))).status).toBe(200)
  })

  test('a host that GATEWAY_HOSTS does not list: 400', async () => {
    const ask = async (host: string) => statusOf(await type(['GET / HTTP/1.1', `Host: ${host}`]))
    expect([await ask('api.bank.example'), await ask('localhost'), await ask('evil.example')]).toEqual([200, 200, 400])
    for (const none of ['[', '%zz', 'localhost:bad', 'evil:99999']) expect([none, await ask(none)]).toEqual([none, 400])
  })
})

describe('sessions and keys of the identity manager', () => {
  const path = '/quote/v1/assets'

  test('an ended session is refused within seconds, even while Redis is unavailable', async () => {
    await gateway.platform.redis.stop()
    const sid = Bun.randomUUIDv7()
    const headers = await gateway.user({ sid })
    expect((await gateway.get(path, headers)).status).toBe(200)
    gateway.identity.revoke(sid)
    const isRefused = async () => (await gateway.get(path, headers)).status === 401
    await until(isRefused, { what: 'the session to be refused' })
    expect(refused(await gateway.get(path, headers), 401).message).toBe('The session has ended; log in again')
    await gateway.platform.redis.restart()
  })

  test('while the identity manager is unavailable, the known keys stay in use', async () => {
    const headers = await gateway.user()
    expect((await gateway.get(path, headers)).status).toBe(200)
    gateway.identity.server.answer(() => new Response(null, { status: 503 }))
    expect((await gateway.get(path, headers)).status).toBe(200)
    expect((await gateway.get(path, await gateway.user())).status).toBe(200)
    gateway.identity.server.answer(gateway.identity.handle)
  })

  test('a gateway that has no keys yet: 503, and 200 once the identity manager is there', async () => {
    gateway.identity.server.answer(() => new Response(null, { status: 503 }))
    const other = await gateway.another()
    const headers = await gateway.user()
    expect(refused(await other.get(path, headers), 503).code).toBe('SERVICE_UNAVAILABLE')
    gateway.identity.server.answer(gateway.identity.handle)
    await until(async () => (await other.get(path, headers)).status === 200, { what: 'the keys' })
  })

  test('after a change of keys, tokens of the new key are valid once it is published', async () => {
    const { signingKey, tokenOf } = await import('./peers')
    const next = await signingKey('key-2')
    gateway.identity.keys.push(next)
    const headers = { authorization: `Bearer ${await tokenOf(next)}` }
    await until(async () => (await gateway.get(path, headers)).status === 200, {
      what: 'the new key',
    })
  })

  test('tokens of unknown keys make the gateway ask at most once in some seconds', async () => {
    const { signingKey, tokenOf } = await import('./peers')
    // Later than any other key was asked for. What it asks by itself, every two seconds, is for no request.
    setSystemTime(new Date(Date.now() + 60_000))
    for (let n = 0; n < 10; n++) {
      const authorization = `Bearer ${await tokenOf(await signingKey(`unknown-${n}`))}`
      expect((await gateway.get(path, { authorization, 'x-request-id': `unknown-${n}` })).status).toBe(401)
    }
    const asked = gateway.identity.server.requests.map(({ headers }) => headers.get('x-request-id'))
    expect(asked.filter((id) => id?.startsWith('unknown-'))).toEqual(['unknown-0'])
  })
})

describe('the gateway’s own metrics', () => {
  test('are served on its machine, and not through a proxy', async () => {
    expect((await gateway.get('/metrics')).body).toContain('http_requests_total')
    for (const path of ['/metrics', '/v1/metrics', '/metrics/all', '/v1/metrics/all']) {
      for (const [name, value] of [
        ['x-forwarded-for', '203.0.113.1'],
        ['forwarded', 'for=203.0.113.1'],
        ['x-real-ip', '203.0.113.1'],
        ['via', '1.1 proxy'],
      ] as const) {
        expect([name, (await gateway.get(path, { [name]: value })).status]).toEqual([name, 404])
      }
    }
  })
})
