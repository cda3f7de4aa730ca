import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createOutbound } from '@bursar/http/outbound'
import { fixedClock, localServer } from '@bursar/testing'
import { createCoolDown } from './cool-down'
import type { ProviderFailure } from './provider-failure'
import { queryProvider } from './query-provider'

const server = localServer(() => new Response())
const now = fixedClock('2026-01-02T03:04:05.000Z')
const outbound = createOutbound({ allow: ['127.0.0.1'] })
beforeEach(() => void server.requests.splice(0))
afterAll(() => server.stop())

const say = (body: string, status = 200) => server.answer(() => new Response(body, { status }))
const ask = (config: unknown, code = 'BTC', slug = 'our-desk') =>
  queryProvider({ slug, config }, code, { outbound, coolDown: createCoolDown(), now })
const failure = (work: Promise<unknown>): Promise<ProviderFailure> =>
  work.then(
    () => Promise.reject(new Error('it gave a price')),
    (error) => error,
  )
/** With the longest timeout, unless given: machines are busy. */
const template = (more: object = {}) => ({
  url: `${server.url}/p/{code}?v=1`,
  path: 'data.0.price',
  timeout: 20_000,
  ...more,
})

describe('a URL of its own', () => {
  test.each([
    ['{"data":[{"price":65000.123456789012345678}]}', '65000.123456789012345678'],
    ['{"data":[{"price":"0.000000000000000001"}]}', '0.000000000000000001'],
    ['{"data":[{"price":1e-9}]}', '1e-9'],
    ['{"data":{"0":{"price":2}}}', '2'],
  ])('%s is read without losing a digit', async (body, price) => {
    say(body)
    expect((await ask(template())).price).toBe(price)
    expect(server.requests[0]?.path).toBe('/p/BTC?v=1')
  })

  test('the code is escaped, and config.symbols may replace it', async () => {
    say('{"data":[{"price":1}]}')
    await ask(template(), 'a/b?c=ü')
    await ask(template({ symbols: { BTC: 'xbt/usd' } }), 'btc')
    expect(server.requests.map(({ path }) => path)).toEqual(['/p/a%2Fb%3Fc%3D%C3%BC?v=1', '/p/xbt%2Fusd?v=1'])
  })

  test('a letter beyond ASCII is no other case of another one', async () => {
    say('{"data":[{"price":1}]}')
    await ask(template({ symbols: { SOL: 'solana' } }), 'ſol')
    expect(server.requests.map(({ path }) => path)).toEqual(['/p/%C5%BFol?v=1'])
    expect(await failure(ask({ rates: { SOL: 150 } }, 'ſol'))).toMatchObject({ kind: 'unknown-symbol' })
    const known = { baseUrl: server.url }
    for (const slug of ['coingecko', 'coinmarketcap', 'pyth', 'kraken', 'coinbase']) {
      expect(await failure(ask(known, 'ſol', slug))).toMatchObject({ kind: 'unknown-symbol' })
    }
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    'http://{code}/price',
    'http://127.0.0.{code}:9/p',
    'http://127.0.0.1:{code}/p',
    '{code}://127.0.0.1:9/p',
  ])('the code must not choose the server: %s', async (url) => {
    for (const code of ['x', '1', '80', 'evil.example', 'http']) {
      expect(await failure(ask({ url, path: 'price' }, code))).toMatchObject({ kind: 'bad-config' })
    }
    expect(server.requests).toEqual([])
  })

  test('one document of all prices: only the path contains the code', async () => {
    say('{"BTC":{"usd":"3"}}')
    const all = { url: `${server.url}/all`, path: '{code}.usd' }
    expect((await ask(all)).price).toBe('3')
    expect(await failure(ask(all, 'XYZ'))).toMatchObject({ kind: 'unknown-symbol' })
  })

  test('the key is sent as a Bearer token, or in the URL where it has {apiKey}', async () => {
    say('{"data":[{"price":1}]}')
    await ask(template({ apiKey: 'k/1' }))
    await ask(template({ credential: 'k/2', url: `${server.url}/{code}?key={apiKey}` }))
    await ask(template({ credential: { id: 'x' }, headers: { Authorization: 'Basic own' } }))
    const [first, second, third] = server.requests
    expect(first?.headers.get('authorization')).toBe('Bearer k/1')
    expect(second?.path).toBe('/BTC?key=k%2F2')
    expect(second?.headers.get('authorization')).toBeNull()
    expect(third?.headers.get('authorization')).toBe('Basic own')
  })

  test.each(['1767323045', '1767323045000', '1767323045000000', '"1767323045000000000"', '"2026-01-02T03:04:05Z"'])(
    'its time may have the form %s',
    async (time) => {
      say(`{"data":[{"price":1}],"at":${time}}`)
      expect((await ask(template({ timePath: 'at' }))).at).toEqual(now())
    },
  )

  test('its time without a zone is UTC, wherever the machine is', async () => {
    const { TZ } = process.env
    process.env.TZ = 'America/New_York'
    try {
      expect(new Date('2026-01-02T03:04:05')).not.toEqual(now())
      for (const time of [
        '2026-01-02T03:04:05',
        '2026-01-02 03:04:05',
        '2026-01-02 03:04:05Z',
        '2026-01-02 04:04:05+01:00',
      ]) {
        say(`{"data":[{"price":1}],"at":"${time}"}`)
        expect((await ask(template({ timePath: 'at' }))).at).toEqual(now())
      }
    } finally {
      process.env.TZ = TZ ?? 'UTC'
    }
  })

  test('a price of the far future is as bad as an old one; a clock may be a minute ahead', async () => {
    const at = (ms: number) => say(`{"data":[{"price":1}],"at":${now().getTime() + ms}}`)
    const strict = template({ timePath: 'at', maxAgeMs: 1000 })
    at(60_000)
    expect((await ask(strict)).price).toBe('1')
    at(60_001)
    expect(await failure(ask(strict))).toMatchObject({
      kind: 'invalid-answer',
      message: 'answered a price that is dated 60 s ahead',
    })
    expect((await ask(template({ timePath: 'at' }))).price).toBe('1')
  })

  test.each([
    [undefined, 5000],
    [1200, 1200],
    [60_000, 20_000],
  ])('a timeout of %p: it is waited for %d ms', async (timeout, ms) => {
    const waits: number[] = []
    const deaf = {
      ...outbound,
      request: (url: string, request: { timeoutMs: number }) => {
        waits.push(request.timeoutMs)
        return outbound.request(url, request)
      },
    }
    say('{"data":[{"price":1}]}')
    const provider = { slug: 'our-desk', config: template({ timeout }) }
    await queryProvider(provider, 'BTC', { outbound: deaf, coolDown: createCoolDown(), now })
    expect(waits).toEqual([ms])
  })

  test('names the problem of its answer', async () => {
    const cases = [
      ['{"data":[]}', 200, 'invalid-answer'],
      ['{"data":[{"price":null}]}', 200, 'invalid-answer'],
      ['{"data":[{"price":true}]}', 200, 'invalid-answer'],
      ['{"data":[{"price":{"usd":1}}]}', 200, 'invalid-answer'],
      ['<html>', 200, 'invalid-answer'],
      ['{}', 404, 'unknown-symbol'],
      ['{}', 403, 'bad-credential'],
      ['{}', 429, 'rate-limited'],
      ['{}', 400, 'unavailable'],
      ['<html>', 503, 'unavailable'],
    ] as const
    for (const [body, status, kind] of cases) {
      say(body, status)
      expect(await failure(ask(template())), body).toMatchObject({ kind })
    }
    say('{"data":[{"price":1}],"at":"yesterday"}')
    expect(await failure(ask(template({ timePath: 'at' })))).toMatchObject({ kind: 'invalid-answer' })
  })

  test('an unusable config is reported, and no request is sent', async () => {
    const configs = [
      { url: 'http://{code}.test/', path: 'a' },
      { url: 'http://a.test{code}/', path: 'a' },
      { url: 'http://a.test/', path: 'a' },
      { url: 'http://a.test/{code}' },
      { url: 'nonsense {code}', path: 'a' },
      { url: 'ftp://a.test/{code}', path: 'a' },
      template({ headers: { 'bad name': 'x' } }),
      template({ timeout: '5000' }),
      template({ timeout: 0 }),
      template({ maxAgeMs: -1 }),
      template({ headers: { a: 1 } }),
      'text',
    ]
    for (const config of configs) {
      expect(await failure(ask(config, 'evil.test/x')), JSON.stringify(config)).toMatchObject({ kind: 'bad-config' })
    }
    expect((await failure(ask(template({ timeout: 'secret' })))).message).toBe('its config.timeout cannot be used')
    expect(await failure(ask(template(), '..'))).toMatchObject({ kind: 'unknown-symbol' })
    expect(server.requests).toEqual([])
  })
})

describe('the source of a price', () => {
  test('the fixed table answers case-insensitively, exactly', async () => {
    const rates = { BTC: 65000, usdx: '0.999999999999999999' }
    expect(await ask({ rates }, 'btc')).toEqual({ price: '65000' })
    expect(await ask({ rates }, 'USDX')).toEqual({ price: '0.999999999999999999' })
    expect(await failure(ask({ rates }, 'XYZ'))).toMatchObject({ kind: 'unknown-symbol' })
    for (const BTC of [0, -1, 'abc']) {
      expect(await failure(ask({ rates: { BTC } }))).toMatchObject({ kind: 'invalid-answer' })
    }
  })

  test('the slug comes first, then the URL, then the table', async () => {
    server.answer((request) => Response.json(request.url.includes('/v2/') ? { data: { amount: '1' } } : { price: '2' }))
    const config = { baseUrl: server.url, url: `${server.url}/{code}`, path: 'price', rates: { BTC: 3 } }
    expect((await ask(config, 'BTC', 'coinbase')).price).toBe('1')
    expect((await ask(config, 'BTC', 'other')).price).toBe('2')
    expect((await ask({ rates: { BTC: 3 } }, 'BTC', 'other')).price).toBe('3')
  })

  test('neither: no adapter', async () => {
    for (const config of [{}, null, undefined, { priority: 1 }]) {
      expect(await failure(ask(config))).toMatchObject({ kind: 'no-adapter', message: 'no adapter' })
    }
    expect(await failure(ask({}, 'BTC', 'constructor'))).toMatchObject({ kind: 'no-adapter' })
  })

  test('the network: a private address, a closed port, too long an answer', async () => {
    const strict = createOutbound({ allow: [] })
    const provider = { slug: 'x', config: template({ apiKey: 'secret' }) }
    const blocked = await failure(queryProvider(provider, 'BTC', { outbound: strict, coolDown: createCoolDown(), now }))
    expect(blocked).toMatchObject({ kind: 'unavailable' })
    expect(blocked.message).toBe('its address is not public, and OUTBOUND_ALLOW does not list it')
    say('x'.repeat(1024 * 1024 + 1))
    expect(await failure(ask(template()))).toMatchObject({ kind: 'invalid-answer' })
    expect(await failure(ask(template({ url: 'http://127.0.0.1:9/{code}' })))).toMatchObject({
      kind: 'unavailable',
      message: 'could not be reached (ECONNREFUSED)',
    })
  })

  test('an exception in an adapter is a failure as well', async () => {
    const broken = { request: () => Promise.reject(new TypeError('secret')) }
    const error = await failure(
      queryProvider({ slug: 'kraken', config: {} }, 'BTC', { outbound: broken, coolDown: createCoolDown(), now }),
    )
    expect(error).toMatchObject({ kind: 'invalid-answer' })
    expect(error.message).not.toContain('secret')
  })
})
