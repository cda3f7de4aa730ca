import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { eq } from '@bursar/store'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { providers } from '../src/tables/providers.table'
import { refused } from './harness'
import { desk, stored, type TestRates, table, testRates } from './rates-harness'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})
const shared: TestRates = await testRates()
afterAll(() => shared.close())

async function service(env?: Record<string, string>): Promise<TestRates> {
  const rates = await testRates(env)
  cleanUps.push(rates.close)
  return rates
}

/** A provider's server with one price. */
function server(price: number | string, status = 200, headers: Record<string, string> = {}): LocalServer {
  const local = localServer(() => Response.json({ price }, { status, headers }))
  cleanUps.push(local.stop)
  return local
}

/** A server that answers once it is released. */
function heldServer(price: number) {
  const gate = Promise.withResolvers<void>()
  const local = localServer(async () => {
    await gate.promise
    return Response.json({ price })
  })
  cleanUps.push(local.stop, gate.resolve)
  return { ...local, requests: local.requests, release: gate.resolve }
}

let names = 0
/** An asset priced by these servers. */
async function priced(rates: TestRates, servers: Record<string, object>): Promise<string> {
  const code = `P${++names}`
  const asset = await rates.asset({ code })
  for (const [slug, config] of Object.entries(servers)) {
    await rates.map(asset, await rates.provider(`${slug}-${names}`, config))
  }
  return code
}

describe('the answers', () => {
  test('are requested in parallel, and the rate is their mean', async () => {
    const held = [heldServer(1), heldServer(2), heldServer(6)]
    const code = await priced(shared, Object.fromEntries(held.map((each, i) => [`s${i}`, desk(each)])))
    const answer = shared.rate(code.toLowerCase())
    // None has answered yet, and all were asked.
    await until(() => held.every(({ requests }) => requests.length === 1), { what: 'three requests at once' })
    for (const each of held) each.release()
    expect((await answer).body).toEqual({ rate: 3, currency: 'USD', isStatic: false })
    expect(held.map(({ requests }) => requests[0]?.path)).toEqual(Array(3).fill(`/${code}`))
  })

  test('that failed do not count, and are not recorded', async () => {
    const own = await service()
    const servers = { good: desk(server('10.5')), down: desk(server(1, 500)), bad: desk(server(0)), odd: {} }
    const code = await priced(own, servers)
    expect((await own.rate(code)).body.rate).toBe(10.5)
    const { data } = await own.last()
    expect(Object.values(data.providers)).toEqual([10.5])
    expect(Object.keys(data.providers)).toEqual([expect.stringMatching(/^good-/)])
  })

  test('that are too late do not count', async () => {
    const late = heldServer(99)
    const code = await priced(shared, { late: desk(late, { timeout: 40 }), good: desk(server(7)) })
    expect((await shared.rate(code)).body.rate).toBe(7)
    const { data } = (await shared.get('/providers/answers')).body
    const asked = data.find(({ slug }: { slug: string }) => slug === `late-${names}`)
    expect(asked).toMatchObject({ lastAnswer: null, lastFailure: { reason: 'did not answer in time' } })
  })

  test('of which none counts give a 503 with the reasons, without secrets', async () => {
    const own = await service()
    const key = { apiKey: 'very-secret' }
    const servers = {
      down: desk(server(1, 503), key),
      gone: desk({ url: 'http://127.0.0.1:9' }, key),
      slow: desk(heldServer(1), { ...key, timeout: 40 }),
      limited: desk(server(1, 429), key),
      badkey: desk(server(1, 401), key),
      bad: desk(server('abc'), key),
      odd: {},
      blocked: { url: 'http://10.1.2.3/{code}', path: 'price', ...key },
    }
    const code = await priced(own, servers)
    const answer = await own.rate(code)
    expect(refused(answer, 503)).toBe(`All providers failed for asset ${code}`)
    expect(answer.body.error).toBe('Service Unavailable')
    const said = Object.entries(answer.body.details).map(([slug, text]) => [slug.replace(/-\d+$/, ''), text])
    expect(Object.fromEntries(said)).toEqual({
      down: 'answered with status 503',
      gone: 'could not be reached (ECONNREFUSED)',
      slow: 'did not answer in time',
      limited: 'its rate limit is exceeded',
      badkey: 'refused the credential',
      bad: 'answered a price that is not a number',
      odd: 'no adapter',
      blocked: 'its address is not public, and OUTBOUND_ALLOW does not list it',
    })
    expect(JSON.stringify(answer.body)).not.toContain('secret')
    expect(await stored(own)).toMatchObject({ rows: [], counted: 0 })
  })

  test('further from the median than QUOTE_MAX_DEVIATION_PCT do not count', async () => {
    const own = await service({ QUOTE_MAX_DEVIATION_PCT: '5' })
    const code = await priced(own, { a: desk(server(100)), b: desk(server(101)), c: desk(server(150)) })
    expect((await own.rate(code)).body.rate).toBe(100.5)
    expect(Object.values((await own.last()).data.providers)).toEqual([100, 101])
  })
})

describe('credentials', () => {
  test('are sent decrypted to the provider, and nowhere else', async () => {
    const own = await service()
    const local = server(5)
    const asset = await own.asset({ code: 'KEY' })
    const provider = await own.provider('keyed', desk(local, { apiKey: 'key-1', headers: { 'x-desk': 'desk-1' } }))
    await own.map(asset, provider)
    expect((await own.rate('KEY')).body.rate).toBe(5)
    const [request] = local.requests
    expect(request?.headers.get('authorization')).toBe('Bearer key-1')
    expect(request?.headers.get('x-desk')).toBe('desk-1')
    const shown = JSON.stringify([provider, await own.get('/rates'), await own.get('/providers'), own.broker.published])
    expect(shown).not.toContain('key-1')
    expect(shown).not.toContain('desk-1')
  })

  test("of a mapping override its provider's; a mapping with another address gets none of them", async () => {
    const own = await service()
    const [theirs, other] = [server(5), server(6)]
    const provider = await own.provider('keyed', desk(theirs, { apiKey: 'key-1', headers: { 'x-desk': 'desk-1' } }))
    await own.map(await own.asset({ code: 'OWNKEY' }), provider, { apiKey: 'key-2' })
    await own.map(await own.asset({ code: 'AWAY' }), provider, { url: `${other.url}/{code}` })
    expect((await own.rate('OWNKEY')).body.rate).toBe(5)
    expect(theirs.requests[0]?.headers.get('authorization')).toBe('Bearer key-2')
    expect((await own.rate('AWAY')).body.rate).toBe(6)
    expect(other.requests[0]?.headers.get('authorization')).toBeNull()
    expect(other.requests[0]?.headers.get('x-desk')).toBeNull()
  })

  test('stay with the provider when a mapping has its own baseUrl', async () => {
    const own = await service()
    const spot = () => {
      const local = localServer(() => Response.json({ data: { amount: '7', base: 'BTC', currency: 'USD' } }))
      cleanUps.push(local.stop)
      return local
    }
    const [theirs, other] = [spot(), spot()]
    const secrets = { headers: { 'x-desk': 'desk-1' }, apiKey: 'key-1', credential: 'key-2' }
    const config = { baseUrl: theirs.url, timeout: 20_000, ...secrets }
    const provider = await own.provider('coinbase', config)
    await own.map(await own.asset({ code: 'BTC' }), provider)
    await own.map(await own.asset({ code: 'ETH' }), provider, { baseUrl: other.url })
    await own.map(await own.asset({ code: 'SOL' }), provider, { baseUrl: other.url, headers: { 'x-desk': 'desk-2' } })
    for (const code of ['BTC', 'ETH', 'SOL']) expect((await own.rate(code)).body.rate).toBe(7)
    expect(theirs.requests.map(({ headers }) => headers.get('x-desk'))).toEqual(['desk-1'])
    expect(other.requests.map(({ headers }) => headers.get('x-desk'))).toEqual([null, 'desk-2'])
    expect(JSON.stringify(other.requests.map(({ path, headers }) => [path, [...headers]]))).not.toContain('key-')
  })

  test('that cannot be decrypted fail their provider only', async () => {
    const own = await service()
    const one = await own.provider('one', desk(server(1), { apiKey: 'k' }), { isDefault: true })
    const two = await own.provider('two', desk(server(2), { apiKey: 'k' }), { isDefault: true })
    const [row] = await own.store.read.select().from(providers).where(eq(providers.id, two.id))
    // A credential that was sealed for another provider.
    const config = { ...desk(server(1)), apiKey: row?.config.apiKey }
    await own.store.commit(
      async (tx) => void (await tx.update(providers).set({ config }).where(eq(providers.id, one.id))),
    )
    expect((await own.rate('ANY')).body.rate).toBe(2)
    await own.del(`/providers/${two.id}`)
    expect((await own.rate('ANY')).body.details).toEqual({ one: 'its stored credentials cannot be decrypted' })
  })
})

describe('single flight', () => {
  test('requests for one code share a round, and each stores its own record', async () => {
    const own = await service()
    const held = heldServer(3)
    const code = await priced(own, { one: desk(held) })
    const answers = [code, code.toLowerCase(), code].map((each) => own.rate(each))
    await until(() => held.requests.length > 0, { what: 'the round' })
    answers.push(own.rate(code))
    // A later request for another asset has been answered: all four above were in the round by then.
    const other = await priced(own, { two: desk(server(4)) })
    expect((await own.rate(other)).body.rate).toBe(4)
    held.release()
    for (const { status, body } of await Promise.all(answers)) {
      expect({ status, body }).toEqual({ status: 201, body: { rate: 3, currency: 'USD', isStatic: false } })
    }
    expect(held.requests).toHaveLength(1)
    const { rows, counted } = await stored(own)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(5)
    expect(counted).toBe(5)
    expect(own.valuations()).toHaveLength(5)
    expect((await own.rate(code)).status).toBe(201)
    expect(held.requests).toHaveLength(2)
  })
})

describe('a provider whose rate limit is exceeded', () => {
  test('is not called again before the time it names, while the others are', async () => {
    const own = await service()
    const strict = server(1, 429, { 'retry-after': '3600' })
    const banned = server(1, 418)
    const code = await priced(own, { strict: desk(strict), banned: desk(banned), good: desk(server(8)) })
    for (let i = 0; i < 3; i++) expect((await own.rate(code)).body.rate).toBe(8)
    expect(strict.requests).toHaveLength(1)
    expect(banned.requests).toHaveLength(1)
  })

  test('fails as rate-limited meanwhile, for every asset', async () => {
    const own = await service()
    const strict = server(1, 429, { 'retry-after': '3600' })
    const provider = await own.provider('strict', desk(strict), { isDefault: true })
    const first = await own.rate('AAA')
    expect(first.body.details).toEqual({ strict: 'its rate limit is exceeded' })
    const second = await own.rate('BBB')
    expect(refused(second, 503)).toBe('All providers failed for asset BBB')
    expect(second.body.details.strict).toMatch(/^its rate limit is exceeded; it is not asked before \d{4}-.*Z$/)
    expect(strict.requests).toHaveLength(1)
    // Another key is another customer.
    await own.put(`/providers/${provider.id}`, { config: desk(strict, { apiKey: 'paid' }) })
    await own.rate('CCC')
    expect(strict.requests).toHaveLength(2)
  })
})

test('a fixed table needs no server', async () => {
  const code = await priced(shared, { table: table({ [`P${names + 1}`]: '0.000000000000000001' }) })
  expect((await shared.rate(code)).body.rate).toBe(1e-18)
})
