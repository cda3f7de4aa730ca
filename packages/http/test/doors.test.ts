import { describe, expect, spyOn, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { t, text } from '@bursar/contracts/schema'
import { Elysia } from 'elysia'
import { createIdentity, createMetrics, identityHeader, jsonArray, plainHealth, queryInteger, service } from '../src'
import { send } from './sample-app'

const lines: Record<string, unknown>[] = []
const log = { ...silentLog, info: (fields: object) => void lines.push(fields as Record<string, unknown>) }
const identity = createIdentity('quote', Buffer.alloc(32, 3), () => new Date())
let reads = 0
let acts = 0

const appWith = (options: { internalAuth?: 'required'; hosts?: string[] } = {}) =>
  service({
    name: 'quote',
    version: '1',
    description: 'A sample.',
    shape: 'object',
    log,
    metrics: createMetrics('quote', '1'),
    health: plainHealth('quote', '1', {}),
    identity,
    ...options,
  }).use(
    new Elysia()
      .post('/acts', () => ({ acts: ++acts }))
      .post('/notes', ({ body }) => body, {
        body: t.Object({ name: text(50), items: t.Optional(t.Array(t.Object({ id: t.String(), size: t.Integer() }))) }),
      })
      .get('/notes', ({ query }) => query, {
        query: t.Object({
          limit: t.Optional(queryInteger()),
          after: t.Optional(t.String()),
          status: t.Optional(t.Array(t.String())),
        }),
      })
      .get('/many', () => jsonArray(many(), silentLog)),
  )

async function* many() {
  for (let i = 0; i < 1000; i++) {
    reads += 1
    yield [i]
  }
}

const app = appWith()
const asked = (headers: Record<string, string>, url = 'http://localhost:4001/v1/acts', method = 'POST') =>
  app.handle(new Request(url, { method, headers }))

describe('a page of another site', () => {
  test.each([
    ['cross-site by its own word', { 'sec-fetch-site': 'cross-site' }],
    ['on another port or subdomain', { 'sec-fetch-site': 'same-site' }],
    ['with a foreign origin', { origin: 'https://evil.example' }],
    ['with an origin on another port', { origin: 'http://localhost:9999' }],
    ['in a sandbox', { origin: 'null' }],
    ['with an empty form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['with an empty text', { 'content-type': 'text/plain' }],
  ])('%s starts nothing', async (_, headers) => {
    const before = acts
    const response = await asked(headers)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
    expect(acts).toBe(before)
  })

  test.each([
    ['reads nothing', 'http://localhost:4001/v1/notes', 'GET'],
    ['opens no stream', 'http://localhost:4001/v1/many', 'GET'],
  ])('%s', async (_, url, method) => {
    expect((await asked({ 'sec-fetch-site': 'cross-site' }, url, method)).status).toBe(400)
  })

  test.each(['evil.example', 'evil.example:4001', 'localhost.evil.example', '127.0.0.1.evil.example', 'abc'])(
    'that reaches the service as %s is refused',
    async (host) => {
      expect((await asked({}, `http://${host}/v1/acts`)).status).toBe(400)
    },
  )

  test.each(['localhost', '127.0.0.1:4001', '127.1.2.3', '[::1]:4001', 'LOCALHOST'])(
    '%s is this machine',
    async (host) => {
      expect((await asked({}, `http://${host}/v1/acts`)).status).toBe(200)
    },
  )

  test('a host that is allowed is served, in any case', async () => {
    const named = appWith({ hosts: ['Ledger.internal'] })
    const request = new Request('http://ledger.INTERNAL:4001/v1/acts', { method: 'POST' })
    expect((await named.handle(request)).status).toBe(200)
  })

  test.each(['fd00::5', '[fd00::5]'])('a host that is an address of IPv6 is served: %s', async (host) => {
    const named = appWith({ hosts: [host] })
    const request = new Request('http://[fd00::5]:4001/v1/acts', { method: 'POST' })
    expect((await named.handle(request)).status).toBe(200)
  })

  test('the service’s own page may call it', async () => {
    const own = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:4001' }
    expect((await asked(own)).status).toBe(200)
  })
})

describe('INTERNAL_AUTH=required', () => {
  const closed = appWith({ internalAuth: 'required' })
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    (await closed.handle(new Request(`http://localhost${path}`, { headers }))).status
  const caller = { kind: 'user', subject: 'u1', participantId: null, roles: [] } as const

  test.each(['/v1/notes', '/metrics', '/swagger/json', '/nowhere'])(
    '%s is for callers who prove who they are',
    async (path) => {
      expect(await ask(path)).toBe(401)
      expect(await ask(path, { [identityHeader]: 'x.y.z' })).toBe(401)
      expect(await ask(path, { [identityHeader]: await identity.sign(caller, 'account') })).toBe(401)
      expect(await ask(path, { [identityHeader]: await identity.sign(caller, 'quote') })).not.toBe(401)
    },
  )

  test.each(['/health', '/v1/health'])('%s is for anybody', async (path) => {
    expect(await ask(path)).toBe(200)
  })
})

describe('a query parameter given twice', () => {
  test('is refused where one is expected', async () => {
    const answer = await send(app, 'GET', '/v1/notes?limit=1&limit=3')
    expect([answer.status, answer.body.error.message]).toEqual([400, 'limit must be given once'])
    expect(answer.body.error.details).toEqual([{ field: 'limit', message: 'limit must be given once' }])
  })

  test('is named with all others that are', async () => {
    const answer = await send(app, 'GET', '/v1/notes?odd=1&after=a&limit=1&after=b&limit=2&limit=3&odd=2')
    expect(answer.body.error.message).toBe('after must be given once; limit must be given once')
  })

  test('is a list where a list is expected, and nothing where it is not known', async () => {
    expect((await send(app, 'GET', '/v1/notes?status=A&status=B')).body).toEqual({ status: ['A', 'B'] })
    expect((await send(app, 'GET', '/v1/notes?odd=1&odd=2')).status).toBe(200)
  })
})

describe('a body that is wrong in many places', () => {
  test('is told of at most a hundred fields, in at most 16 KiB', async () => {
    const answer = await send(app, 'POST', '/v1/notes', {
      body: { name: 'a', items: Array.from({ length: 15_000 }, () => ({})) },
    })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details.length).toBeWithin(50, 101)
    expect(answer.text.length).toBeLessThan(16 * 1024)
  })

  test.each(['a\nb', 'a\rb', '\u0000', 'a\u2028b', 'a\u001b[31mb', 'gpj.\u202efdp', '\u2066a', 'a\u2069'])(
    'control characters in a name: %j',
    async (name) => {
      const answer = await send(app, 'POST', '/v1/notes', { body: { name } })
      expect([answer.status, answer.body.error.message]).toEqual([400, 'name must not hold control characters'])
    },
  )

  test('what joins letters, and marks their direction, is none', async () => {
    for (const name of ['می\u200cخواهم', 'שלום\u200f!', 'क्\u200dष']) {
      expect((await send(app, 'POST', '/v1/notes', { body: { name, items: [] } })).status).toBeLessThan(300)
    }
  })
})

test('HEAD of a long list reads no more than its beginning', async () => {
  const before = reads
  const answer = await send(app, 'HEAD', '/v1/many')
  expect([answer.status, answer.text]).toEqual([200, ''])
  expect(reads - before).toBeLessThan(5)
  // Its length is unknown, and not 0.
  expect([answer.headers.get('content-length'), answer.headers.get('transfer-encoding')]).toEqual([null, 'chunked'])
})

test('a read that failed has its log line, one that went well has not', async () => {
  // A slow one has a line as well, and a busy machine is slow.
  const clock = spyOn(performance, 'now').mockReturnValue(0)
  lines.length = 0
  await send(app, 'GET', '/v1/notes')
  clock.mockRestore()
  expect(lines).toEqual([])
  await send(app, 'GET', '/v1/nowhere')
  expect(lines).toMatchObject([{ method: 'GET', path: '/v1/nowhere', status: 404 }])
})

test('the log line of a refused request says why', async () => {
  await send(app, 'POST', '/v1/notes', { body: {} })
  expect(lines.at(-1)).toMatchObject({ path: '/v1/notes', status: 400, problem: 'name should not be empty' })
})
