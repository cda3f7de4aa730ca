import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { until } from '@bursar/testing'
import { openGateway, refused, type TestGateway } from './harness'
import { echo } from './peers'

const bank = '01a1fe8f-0000-7000-8000-0000000000b1'
const withKey = { 'x-api-key': 'sk_test_limits' }
const login = '/identity/v1/auth/login'

let gateway: TestGateway
beforeAll(async () => {
  const env = {
    RATE_LIMIT_LOGIN: '5',
    RATE_LIMIT_PER_SECOND: '20',
    RATE_LIMIT_FAILURES: '4',
    TRUSTED_PROXIES: '127.0.0.1',
  }
  gateway = await openGateway({ ...env, RATE_LIMIT_STREAMS: '2', RATE_LIMIT_LISTS: '2' })
  gateway.main.issue(withKey['x-api-key'], { participantId: bank })
})
afterEach(() => void setSystemTime())
afterAll(() => gateway?.close())

/** Nothing is granted again, however long the requests take. */
const holdClock = () => setSystemTime(new Date())

let last = 0
/** An address that nobody has used yet: while Redis is awaited, hundreds are used. */
const newAddress = () => {
  last += 1
  return `10.0.${last >> 8}.${last & 255}`
}
const from = (address: string) => ({ 'x-forwarded-for': address })
const attempt = (email: string, address: string, at: Pick<TestGateway, 'post'> = gateway) =>
  at.post(login, { email, password: 'x' }, from(address))

/** Attempts until one is refused. */
async function passed(one: () => Promise<{ status: number }>, most = 50): Promise<number> {
  for (let n = 0; n < most; n++) if ((await one()).status === 429) return n
  return most
}

describe('requests of a caller', () => {
  test('beyond the limit: 429 with details and headers, in shape 1, for a short time', async () => {
    const headers = await gateway.user()
    const ask = () => gateway.get('/core/v1/transactions/1', headers)
    holdClock()
    const first = await ask()
    expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=20;w=1')
    expect(first.headers.get('ratelimit')).toMatch(/^"requests";r=1\d;t=1$/)
    const all = await Promise.all(Array.from({ length: 80 }, ask))
    const [refusal] = all.filter(({ status }) => status === 429)
    if (!refusal) throw new Error('No request was refused')
    const { code, details } = refused(refusal, 429)
    expect([code, details]).toEqual([
      'RATE_LIMITED',
      { limit: 20, remaining: 0, resetAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
    expect(refusal.headers.get('retry-after')).toBe('1')
    expect(refusal.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=1$/)
    setSystemTime()
    await until(async () => (await ask()).status === 200, { what: 'a request to be taken again' })
  })

  test('are counted by user, by key, or by address without either', async () => {
    const [one, other] = [await gateway.user(), await gateway.user()]
    const flood = (path: string, headers: Record<string, string>) =>
      Promise.all(Array.from({ length: 80 }, () => gateway.get(path, headers)))
    const statuses = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))].sort()
    holdClock()
    expect(statuses(await flood('/quote/v1/assets/1', one))).toEqual([200, 429])
    expect((await gateway.get('/quote/v1/assets/1', other)).status).toBe(200)
    expect((await gateway.get('/quote/v1/assets/1', withKey)).status).toBe(200)
    const [here, there] = [newAddress(), newAddress()]
    expect(statuses(await flood('/quote/v1/health', from(here)))).toEqual([200, 429])
    expect((await gateway.get('/quote/v1/health', from(there))).status).toBe(200)
  })
})

describe('attempts without credentials: 5 in 5 minutes', () => {
  beforeEach(holdClock)

  test('to log in from one address', async () => {
    const address = newAddress()
    let n = 0
    expect(await passed(() => attempt(`user${n++}@a.example`, address))).toBe(5)
    const { code, details } = refused(await attempt('new@a.example', address), 429)
    expect([code, (details as { limit: number }).limit]).toEqual(['RATE_LIMITED', 5])
  })

  test('to log in from one IPv6 site, whose owner has 65,536 networks: twenty times as many', async () => {
    const network = (site: string, n: number) => `2001:db8:${site}:${n.toString(16)}::1`
    let n = 0
    expect(await passed(() => attempt(`user${n}@s.example`, network('51', n++)), 150)).toBe(100)
    expect((await attempt('other@s.example', network('52', 1))).status).toBe(200)
  })

  test('to log in to one account: attempts from elsewhere lock nobody out', async () => {
    for (let i = 0; i < 20; i++) expect((await attempt('ada@b.example', newAddress())).status).toBe(200)
  })

  test('to have a mail sent to one account, in any notation and from any address', async () => {
    const spellings = ['ada@b.example', ' Ada@b.example', 'ADA@B.EXAMPLE ']
    const forget = (email: string, address: string) =>
      gateway.post('/identity/v1/auth/forgot-password', { email }, from(address))
    let n = 0
    expect(await passed(() => forget(spellings[n++ % 3] ?? '', newAddress()))).toBe(5)
    const before = gateway.identity.server.requests.length
    const refusal = await forget('ada@b.example', newAddress())
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(30)
    expect(refused(refusal, 429).code).toBe('RATE_LIMITED')
    const after = gateway.identity.server.requests.slice(before)
    expect(after.filter(({ path }) => path.includes('forgot'))).toEqual([])
    expect((await forget('bea@b.example', newAddress())).status).toBe(200)
  })

  test.each([
    ['/identity/v1/auth/forgot-password', { email: 'x@c.example' }],
    ['/identity/v1/auth/single-sign-on/begin', {}],
    ['/identity/v1/auth/single-sign-on/complete', { attempt: 'x', query: 'x' }],
    ['/identity/v1/auth/reset-password/token', { password: 'x' }],
    ['/identity/v1/auth/change-password/token', { password: 'x' }],
    ['/identity/v1/users/register', { email: 'x@c.example' }],
    ['/main/v1/participants', { name: 'x' }],
  ])('POST %s, each with its own count', async (path, body) => {
    const address = newAddress()
    expect(await passed(() => gateway.post(path, body, from(address)))).toBe(5)
    expect((await attempt('free@c.example', address)).status).toBe(200)
  })

  test('an IPv6 network counts as one address', async () => {
    let n = 0
    expect(await passed(() => attempt(`six${n}@d.example`, `2001:db8:1:2::${(n++).toString(16)}`))).toBe(5)
    expect((await attempt('six@d.example', '2001:db8:1:3::1')).status).toBe(200)
  })
})

/** Of API keys; the gateway asks the main API for institutions, too, every two seconds. */
const lookUps = () => gateway.main.server.requests.filter(({ path }) => path.includes('/api-keys/by-hash/')).length

test('wrong credentials: an address that guesses is refused, except for its known credentials', async () => {
  holdClock()
  const address = newAddress()
  const guess = () => gateway.get('/quote/v1/assets', { ...from(address), 'x-api-key': `guess-${Math.random()}` })
  expect(await passed(guess)).toBe(4)
  const before = lookUps()
  expect(refused(await guess(), 429).message).toBe('Too many wrong credentials came from this address')
  expect(lookUps()).toBe(before)
  expect((await gateway.get('/quote/v1/assets', withKey)).status).toBe(200)
})

test('wrong credentials that come together are looked up no more often than those that follow each other', async () => {
  holdClock()
  const address = newAddress()
  const before = lookUps()
  const guesses = Array.from({ length: 50 }, (_, i) =>
    gateway.get('/quote/v1/assets', { ...from(address), 'x-api-key': `together-${i}` }),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect([401, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([4, 46])
  expect(lookUps() - before).toBe(4)
})

test('unknown and known callers are refused alike, at the same cost', async () => {
  // An unknown key and a revoked one differ in nothing that a caller can see.
  gateway.main.issue('sk_test_revoked', { participantId: bank, status: 'revoked' })
  const answers = ['sk_test_revoked', 'sk_test_nobody'].map((key) =>
    gateway.get('/quote/v1/assets', { ...from(newAddress()), 'x-api-key': key }),
  )
  const [revoked, unknown] = (await Promise.all(answers)).map((answer) => refused(answer, 401))
  expect(revoked).toEqual(unknown as never)
})

describe('concurrent requests', () => {
  test('streams of a caller: one too many is refused, and accepted once another has ended', async () => {
    gateway.tracker.answer(() => new Response(new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(5)) })))
    const headers = await gateway.user({ roles: ['admin'] })
    const open = async () => await fetch(`${gateway.url}/tracker/v1/log-messages/stream`, { headers })
    const [first, second] = [await open(), await open()]
    expect([first.status, second.status]).toEqual([200, 200])
    expect((await open()).status).toBe(429)
    await first.body?.cancel()
    let third: Response | undefined
    const reopened = async () => {
      third = await open()
      return third.status === 200
    }
    await until(reopened, { what: 'a stream to be taken again' })
    await Promise.all([second.body?.cancel(), third?.body?.cancel()])
  })

  test.each([
    '/core/v1/transactions',
    '/core/v1/transactions/export',
    '/core/v1/transactions/export?accountId=1',
    '/quote/v1/assets?limit=10&offset=90000',
    '/quote/v1/assets?search=a',
    '/quote/v1/assets?limit=1&q=a',
    '/api/v1/core/transactions?page=9000',
    '/main/v1/custodian-bank/balance',
    '/main/v1/custodian-bank/credit-line',
    '/main/v1/participants/counter-parties',
  ])('whole lists, sums, exports, searches and deep pages: %s', async (path) => {
    const headers = await gateway.user()
    const waiting: (() => void)[] = []
    const hold = () => new Promise<Response>((resolve) => waiting.push(() => resolve(Response.json([]))))
    for (const peer of [gateway.core, gateway.quote]) peer.answer(hold)
    gateway.main.server.answer((request) =>
      path.endsWith(new URL(request.url).pathname) ? hold() : gateway.main.handle(request),
    )
    const first = [gateway.get(path, headers), gateway.ask('HEAD', path, undefined, headers)]
    await until(() => waiting.length === 2, { what: 'both requests to arrive' })
    expect((await gateway.get(path, headers)).status).toBe(429)
    for (const answer of waiting.splice(0)) answer()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200])
    for (const peer of [gateway.core, gateway.quote]) peer.answer(echo)
    gateway.main.server.answer(gateway.main.handle)
  })
})

describe('requests of all callers', () => {
  test('lists and streams: one too many is refused for anybody, and accepted once another has ended', async () => {
    const own = await openGateway({
      RATE_LIMIT_LISTS: '2',
      RATE_LIMIT_LISTS_IN_ALL: '3',
      RATE_LIMIT_STREAMS_IN_ALL: '1',
    })
    const waiting: (() => void)[] = []
    own.core.answer(() => new Promise<Response>((resolve) => waiting.push(() => resolve(Response.json([])))))
    const ask = async () => own.get('/core/v1/transactions', await own.user())
    const first = [ask(), ask(), ask()]
    await until(() => waiting.length === 3, { what: 'three requests to arrive' })
    const refusal = await ask()
    expect([refused(refusal, 503).code, refusal.headers.get('retry-after')]).toEqual(['SERVICE_UNAVAILABLE', '1'])
    for (const answer of waiting.splice(0)) answer()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200])
    own.core.answer(echo)
    expect((await ask()).status).toBe(200)

    own.tracker.answer(() => new Response(new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(5)) })))
    const open = async () => {
      const headers = await own.user({ roles: ['admin'] })
      return await fetch(`${own.url}/tracker/v1/log-messages/stream`, { headers })
    }
    const stream = await open()
    expect([stream.status, (await open()).status]).toEqual([200, 503])
    await stream.body?.cancel()
    await own.close()
  })
})

describe('several gateways', () => {
  afterEach(() => gateway.platform.redis.restart())

  test('share the limits; each counts alone while Redis is unavailable, and together again afterwards', async () => {
    const other = await gateway.another()
    const shared = async () => {
      const address = newAddress()
      for (let i = 0; i < 5; i++) await attempt(`a${i}@e.example`, address)
      return (await attempt('b@e.example', address, other)).status === 429
    }
    const waiting = { what: 'the limits to be shared' }
    await until(shared, waiting)

    await gateway.platform.redis.stop()
    holdClock()
    const second = newAddress()
    let n = 0
    expect(await passed(() => attempt(`c${n++}@e.example`, second))).toBe(5)
    expect(await passed(() => attempt(`d${n++}@e.example`, second, other))).toBe(5)
    setSystemTime()

    await gateway.platform.redis.restart({ empty: true })
    await until(shared, waiting)
  })

  test('a Redis that hangs delays no request for long', async () => {
    gateway.platform.redis.pause()
    const headers = await gateway.user()
    for (let n = 0; n < 5; n++) expect((await gateway.get('/quote/v1/assets/1', headers)).status).toBe(200)
    gateway.platform.redis.resume()
  })
})
