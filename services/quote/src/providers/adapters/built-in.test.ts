import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createOutbound } from '@bursar/http/outbound'
import { fixedClock, localServer } from '@bursar/testing'
import { createCoolDown } from './cool-down'
import type { FailureKind, ProviderFailure } from './provider-failure'
import { queryProvider } from './query-provider'

/** The answers of one provider, in the shapes that it really sends. */
interface Sample {
  path: string
  price: (text: string, at: Date) => string
  /** The expected reading of `65000.10` for a provider that formats prices differently. */
  reads?: string
  tellsTime?: boolean
  key?: { header: string; value: string }
  noPrice: unknown
  failures: readonly (readonly [what: FailureKind, status: number, body: unknown])[]
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
const btcFeed = 'e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43'
const cmcError = (code: number | string, message = 'no') => ({ status: { error_code: code, error_message: message } })
const cryptocompareError = (type: number, message: string) => ({ Response: 'Error', Message: message, Type: type })

const samples: Record<string, Sample> = {
  coinbase: {
    path: '/v2/prices/BTC-USD/spot',
    price: (text) => `{"data":{"base":"BTC","currency":"USD","amount":"${text}"}}`,
    noPrice: { data: { base: 'BTC' } },
    failures: [
      ['unknown-symbol', 404, { errors: [{ id: 'not_found', message: 'Not found' }] }],
      ['unknown-symbol', 400, { errors: [{ id: 'invalid_request', message: 'Invalid base currency' }] }],
      ['rate-limited', 429, { errors: [{ id: 'rate_limit_exceeded', message: 'Too many requests' }] }],
      ['bad-credential', 401, { errors: [{ id: 'authentication_error', message: 'invalid token' }] }],
      ['invalid-answer', 200, { data: { base: 'BTC', currency: 'EUR', amount: '65000' } }],
    ],
  },
  kraken: {
    path: '/0/public/Ticker?pair=XBTUSD',
    price: (text) => `{"error":[],"result":{"XXBTZUSD":{"a":["1","1","1"],"c":["${text}","0.1"]}}}`,
    noPrice: { error: [], result: { XXBTZUSD: { c: [] } } },
    failures: [
      ['unknown-symbol', 200, { error: ['EQuery:Unknown asset pair'] }],
      ['rate-limited', 200, { error: ['EAPI:Rate limit exceeded'] }],
      ['rate-limited', 200, { error: ['EGeneral:Too many requests'] }],
      ['bad-credential', 200, { error: ['EAPI:Invalid key'] }],
      ['unavailable', 200, { error: ['EService:Unavailable'] }],
      ['invalid-answer', 200, { error: ['EGeneral:Internal error'], result: {} }],
    ],
  },
  binance: {
    path: '/api/v3/ticker/price?symbol=BTCUSDT',
    price: (text) => `{"symbol":"BTCUSDT","price":"${text}"}`,
    noPrice: { symbol: 'BTCUSDT' },
    failures: [
      ['unknown-symbol', 400, { code: -1121, msg: 'Invalid symbol.' }],
      ['rate-limited', 429, { code: -1003, msg: 'Too many requests' }],
      ['rate-limited', 418, 'I am a teapot'],
      ['bad-credential', 401, { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' }],
      ['unavailable', 451, { code: 0, msg: 'Service unavailable from a restricted location' }],
    ],
  },
  bitstamp: {
    path: '/api/v2/ticker/btcusd/',
    price: (text, at) => `{"timestamp":"${seconds(at)}","last":"${text}","bid":"1"}`,
    tellsTime: true,
    noPrice: { timestamp: '1' },
    failures: [
      ['unknown-symbol', 404, '<h1>Page not found</h1>'],
      ['rate-limited', 429, { reason: 'Request rate limit exceeded.' }],
      ['bad-credential', 403, { status: 'error', reason: 'Missing key, signature and nonce parameters.' }],
    ],
  },
  coingecko: {
    path: '/api/v3/simple/price?ids=bitcoin&vs_currencies=usd&precision=full&include_last_updated_at=true',
    price: (text, at) => `{"bitcoin":{"usd":${text},"last_updated_at":${seconds(at)}}}`,
    tellsTime: true,
    key: { header: 'x-cg-demo-api-key', value: 'k-123' },
    noPrice: { bitcoin: {} },
    failures: [
      ['unknown-symbol', 200, {}],
      ['rate-limited', 429, { status: { error_code: 429, error_message: "You've exceeded the Rate Limit." } }],
      ['bad-credential', 401, { status: { error_code: 10002, error_message: 'API Key Missing' } }],
      ['bad-credential', 400, { error_code: 10010, status: { error_code: 10010, error_message: 'use pro-api' } }],
    ],
  },
  cryptocompare: {
    path: '/data/price?fsym=BTC&tsyms=USD',
    price: (text) => `{"USD":${text}}`,
    key: { header: 'authorization', value: 'Apikey k-123' },
    noPrice: { EUR: 1 },
    failures: [
      ['unknown-symbol', 200, cryptocompareError(2, 'cccagg_or_exchange market does not exist for this coin pair')],
      ['rate-limited', 200, cryptocompareError(99, 'You are over your rate limit please upgrade your account!')],
      ['bad-credential', 200, cryptocompareError(1, 'You need a valid auth key or api key to access this endpoint')],
      ['invalid-answer', 200, cryptocompareError(2, 'tsyms param seems to be missing.')],
    ],
  },
  coinmarketcap: {
    path: '/v3/cryptocurrency/quotes/latest?id=1&convert=USD',
    price: (text, at) =>
      `{"status":{"error_code":0},"data":[{"id":1,"symbol":"BTC","quote":{"USD":{"price":${text},"last_updated":"${at.toISOString()}"}}}]}`,
    tellsTime: true,
    key: { header: 'x-cmc_pro_api_key', value: 'k-123' },
    noPrice: { status: { error_code: '0' }, data: [{ id: 1, symbol: 'BTC', quote: {} }] },
    failures: [
      ['unknown-symbol', 200, { status: { error_code: 0 }, data: {} }],
      ['unknown-symbol', 400, cmcError(400, 'Invalid value for "id": "0"')],
      ['rate-limited', 200, cmcError(1008)],
      ['rate-limited', 429, cmcError('1010')],
      ['bad-credential', 401, cmcError(1001, 'This API Key is invalid.')],
      ['bad-credential', 200, cmcError('1002', 'API key missing.')],
      ['unavailable', 500, cmcError(500)],
      ['invalid-answer', 200, cmcError(400, 'Something else')],
      ['invalid-answer', 200, { status: { error_code: 0 }, data: [{ symbol: 'BTCX', quote: { USD: { price: 1 } } }] }],
    ],
  },
  pyth: {
    path: `/v2/updates/price/latest?ids[]=${btcFeed}&parsed=true`,
    price: (text, at) =>
      `{"parsed":[{"id":"${btcFeed}","price":{"price":"${text.replace('.', '')}","conf":"1","expo":-2,"publish_time":${seconds(at)}}}]}`,
    reads: '6500010e-2',
    tellsTime: true,
    key: { header: 'authorization', value: 'Bearer k-123' },
    noPrice: { parsed: [{ id: btcFeed, price: {} }] },
    failures: [
      ['unknown-symbol', 404, 'Price ids not found: 0xe62d'],
      ['unknown-symbol', 200, { parsed: [] }],
      ['rate-limited', 429, 'slow down'],
      ['bad-credential', 401, 'Unauthorized'],
      ['invalid-answer', 200, { parsed: [{ id: 'ff', price: { price: '1', expo: 0, publish_time: 1 } }] }],
    ],
  },
}

const server = localServer(() => new Response())
/** One of its own that never answers: what comes to it late counts in no other test. */
const silent = localServer(() => new Promise<never>(() => {}))
const now = fixedClock('2026-01-02T03:04:05.000Z')
const outbound = createOutbound({ allow: ['127.0.0.1'] })
beforeEach(() => void server.requests.splice(0))
afterAll(() => Promise.all([server.stop(), silent.stop()]))

function say(status: number, body: unknown): void {
  server.answer(() => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }))
}
/** It waits as long as may be, unless given: machines are busy. */
const ask = (slug: string, config: object = {}, code = 'BTC') =>
  queryProvider({ slug, config: { baseUrl: `${server.url}/`, apiKey: 'k-123', timeout: 20_000, ...config } }, code, {
    outbound,
    coolDown: createCoolDown(),
    now,
  })
const failure = (work: Promise<unknown>): Promise<ProviderFailure> =>
  work.then(
    () => Promise.reject(new Error('it gave a price')),
    (error) => error,
  )

describe.each(Object.entries(samples))('%s', (slug, sample) => {
  test('reads the price exactly', async () => {
    say(200, sample.price('65000.10', now()))
    const answer = await ask(slug, { headers: { 'X-Own': 'mine' } })
    expect(answer.price).toBe(sample.reads ?? '65000.10')
    expect(answer.at).toEqual(sample.tellsTime ? now() : undefined)
    const [request] = server.requests
    expect(request).toMatchObject({ method: 'GET', path: sample.path })
    expect(request?.headers.get('x-own')).toBe('mine')
    expect(request?.headers.get('accept')).toBe('application/json')
    if (sample.key) expect(request?.headers.get(sample.key.header)).toBe(sample.key.value)
    else expect(JSON.stringify([...(request?.headers ?? [])])).not.toContain('k-123')
  })

  test.each(sample.failures)('answers %s by status %d and %j', async (kind, status, body) => {
    say(status, body)
    expect(await failure(ask(slug))).toMatchObject({ name: 'ProviderFailure', kind })
  })

  test('gives no price for an HTML page, other JSON, a missing or an invalid price', async () => {
    for (const body of ['<html>502</html>', '', 'null', '[]', '"x"', '{"a":1}', '{']) {
      say(200, body)
      expect(await failure(ask(slug)), body).toMatchObject({ kind: 'invalid-answer' })
    }
    say(200, sample.noPrice)
    expect(await failure(ask(slug))).toMatchObject({ kind: 'invalid-answer', message: 'answered no price' })
    for (const text of ['0', '-1', '0.00', 'NaN', 'Infinity', '1e999', 'abc']) {
      say(200, sample.price(text, now()))
      expect(await failure(ask(slug)), text).toMatchObject({ kind: 'invalid-answer' })
    }
  })

  test('a 502 page is unavailable, and no answer is a timeout', async () => {
    say(502, '<html>Bad Gateway</html>')
    expect(await failure(ask(slug))).toMatchObject({ kind: 'unavailable', message: 'answered with status 502' })
    expect(await failure(ask(slug, { baseUrl: silent.url, timeout: 40 }))).toMatchObject({ kind: 'timeout' })
  })

  test('an old price is accepted unless maxAgeMs forbids it', async () => {
    const at = new Date(now().getTime() - 61_000)
    say(200, sample.price('65000.10', at))
    expect((await ask(slug)).at).toEqual(sample.tellsTime ? at : undefined)
    expect((await ask(slug, { maxAgeMs: 61_000 })).price).toBe(sample.reads ?? '65000.10')
    const strict = ask(slug, { maxAgeMs: 60_999 })
    if (!sample.tellsTime) expect((await strict).price).toBe('65000.10')
    else
      expect(await failure(strict)).toMatchObject({
        kind: 'invalid-answer',
        message: 'answered a price that is 61 s old',
      })
  })

  test('config.symbols gives the provider’s symbol of the asset', async () => {
    say(200, sample.price('65000.10', now()))
    const work = ask(slug, { symbols: { btc: 'abc1' } })
    if (slug === 'pyth') expect(await failure(work)).toMatchObject({ kind: 'invalid-answer' })
    else expect((await work).price).toBe('65000.10')
    expect(server.requests[0]?.path.toLowerCase()).toContain('abc1')
  })

  test('a code that cannot be a symbol is unknown, and no request is sent', async () => {
    for (const code of ['../secret', 'A&symbol=BTC', 'A B', '']) {
      expect(await failure(ask(slug, {}, code))).toMatchObject({ kind: 'unknown-symbol' })
    }
    expect(server.requests).toEqual([])
  })
})

test('coinmarketcap: coins may be keyed, and quotes a list', async () => {
  const quote = [
    { symbol: 'EUR', price: 2 },
    { symbol: 'USD', price: 3 },
  ]
  for (const data of [{ 1: { symbol: 'BTC', quote } }, { BTC: [{ symbol: 'BTC', quote }] }]) {
    say(200, { status: { error_code: 0 }, data })
    expect((await ask('coinmarketcap')).price).toBe('3')
  }
})

test('coingecko: the paid plan sends the key under its own name', async () => {
  say(200, { bitcoin: { usd: 1 } })
  await ask('coingecko', { plan: 'pro' })
  expect(server.requests[0]?.headers.get('x-cg-pro-api-key')).toBe('k-123')
  expect(server.requests[0]?.headers.get('x-cg-demo-api-key')).toBeNull()
})

test('binance has no price of USDT in USDT', async () => {
  expect(await failure(ask('binance', {}, 'usdt'))).toMatchObject({ kind: 'unknown-symbol' })
})
