import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { impatiently, type LocalServer, localServer, until } from '@bursar/testing'
import { rowsIn } from '@bursar/testing/service'
import { openGateway, type TestGateway } from './harness'

const account = '01a1fe8f-0000-7000-8000-0000000000d1'
const staffId = '01a1fe8f-0000-7000-8000-000000000001'
const session = '01a1fe8f-0000-7000-8000-000000000002'
const withKey = { 'x-api-key': 'sk_test_audit' }
const path = `/account/v1/accounts/${account}`

let gateway: TestGateway
let accounts: LocalServer
let status = 'active'

/** An account service: GET shows the status, PUT sets it, POST makes one with a secret. */
async function accountService(request: Request): Promise<Response> {
  if (request.method === 'PUT') ({ status } = (await request.json()) as { status: string })
  if (request.method === 'POST') return Response.json({ id: account, signingSecret: 'whsec_made' }, { status: 201 })
  return Response.json({ id: account, status, apiKey: 'hidden-key', nested: [{ password: 'hidden-word' }] })
}

const settings = () => ({ ACCOUNT_URL: accounts.url, AUTHORIZATION: 'roles' })

beforeAll(async () => {
  accounts = localServer(accountService)
  gateway = await openGateway(settings())
  gateway.main.issue(withKey['x-api-key'], { participantId: account })
})
afterAll(async () => {
  await gateway?.close()
  await accounts?.stop()
})

const as = (role: 'admin' | 'operator' | 'viewer' | 'participant-admin') =>
  gateway.user({ roles: [role], sub: staffId, sid: session })

interface Row {
  number: number
  act_id: string
  step: string
  actor: string
  session: string
  address: string
  door: string
  roles: string
  service: string
  action: string
  object: string | null
  status: number | null
  request_id: string
  detail: string
}

/** The rows after the first `from`, from a connection of its own. */
async function rows(from = 0, of = gateway): Promise<(Row & { parts: Record<string, unknown> })[]> {
  const query = `SELECT * FROM audit_trail WHERE number > ${from} ORDER BY number`
  const found = await rowsIn<Row>(of.platform.kept('gateway'), query)
  return found.map((row) => ({ ...row, parts: JSON.parse(row.detail) }))
}
const rowCount = async () => (await rows()).length

describe('an action of staff through the API', () => {
  test('writes two rows: who, from where, what, before, after, status', async () => {
    const from = await rowCount()
    const sent = { status: 'suspended', reason: 'court order', accessToken: 'hidden-token' }
    const headers = { ...(await as('operator')), 'x-request-id': 'req-audit-1' }
    expect((await gateway.put(`${path}?force=true`, sent, headers)).status).toBe(200)
    const [asked, answered, ...more] = await rows(from)
    expect(more).toEqual([])
    const common = {
      actor: staffId,
      session,
      address: '127.0.0.1',
      door: 'api',
      roles: 'operator',
      service: 'account',
      action: 'PUT /accounts/:id',
      object: account,
      request_id: 'req-audit-1',
    }
    expect(asked).toMatchObject({ ...common, step: 'asked', status: null })
    expect(answered).toMatchObject({ ...common, step: 'answered', status: 200 })
    expect(asked?.act_id).toBe(answered?.act_id ?? '')
    expect(asked?.parts).toMatchObject({
      request: {
        params: { id: account },
        query: { force: 'true' },
        body: { status: 'suspended', reason: 'court order' },
      },
      before: { id: account, status: 'active' },
    })
    expect(answered?.parts).toMatchObject({ after: { id: account, status: 'suspended' } })
    expect(JSON.stringify([asked, answered])).not.toContain('hidden-')
  })

  test('a creation has the new id and the answer, without secrets', async () => {
    const from = await rowCount()
    const { body } = await gateway.post(
      '/account/v1/accounts',
      { customerId: account, type: 'X' },
      await as('operator'),
    )
    expect(body).toEqual({ id: account, signingSecret: 'whsec_made' })
    const [asked, answered] = await rows(from)
    expect([asked?.object, answered?.object, answered?.status]).toEqual([null, account, 201])
    expect(answered?.detail).not.toContain('whsec_made')
  })

  test('the object is read with the caller’s own rights', async () => {
    await gateway.put(path, { status: 'active' }, await as('operator'))
    const reads = accounts.requests.filter(({ method }) => method === 'GET').slice(-2)
    for (const { headers } of reads)
      expect(await gateway.callerIn(Object.fromEntries(headers), 'account')).toMatchObject({
        kind: 'user',
        subject: staffId,
      })
  })

  test('the first row is written before the service is called', async () => {
    const from = await rowCount()
    let seen: string[] = []
    accounts.answer(async (request) => {
      if (request.method === 'PUT') seen = (await rows(from)).map(({ step }) => step)
      return accountService(request)
    })
    await gateway.put(path, { status: 'active' }, await as('operator'))
    accounts.answer(accountService)
    expect(seen).toEqual(['asked'])
  })

  test('refused, aborted and unanswered requests are recorded too', async () => {
    const from = await rowCount()
    // For what is not answered alone: on a busy machine an answer may take longer.
    const hurried = await openGateway({ ...settings(), UPSTREAM_TIMEOUT_MS: '1500' })
    const put = async (of: TestGateway) => {
      const headers = await of.user({ roles: ['operator'], sub: staffId, sid: session })
      return (await of.put(path, { status: 'active' }, headers)).status
    }
    const only = (answer: () => Response | Promise<Response>) =>
      accounts.answer((request) => (request.method === 'PUT' ? answer() : accountService(request)))
    only(() => Response.json({ error: { code: 'CONFLICT', message: 'It is closed' } }, { status: 409 }))
    expect(await put(gateway)).toBe(409)
    only(() => new Promise<Response>(() => {}))
    expect(await put(hurried)).toBe(504)
    accounts.answer(accountService)
    const answered = [...(await rows(from)), ...(await rows(0, hurried))].filter(({ step }) => step === 'answered')
    expect(answered.map((row) => row.status)).toEqual([409, 504])
    expect(answered[0]?.parts).toMatchObject({ answer: { error: { message: 'It is closed' } } })
    expect(answered[1]?.parts).toMatchObject({ problem: 'The account service did not answer in time' })
    await hurried.close()
  })

  test('an object that cannot be read, or answers nonsense, delays nothing', async () => {
    const from = await rowCount()
    const answers = [
      () => new Response('<html>', { status: 200 }),
      () => Response.json({ big: 'x'.repeat(300 * 1024) }),
      () => new Response('no', { status: 500 }),
    ]
    for (const answer of answers) {
      accounts.answer((request) => (request.method === 'GET' ? answer() : accountService(request)))
      expect((await gateway.put(path, { status: 'active' }, await as('operator'))).status).toBe(200)
    }
    accounts.answer(accountService)
    const before = (await rows(from)).filter(({ step }) => step === 'asked').map(({ parts }) => parts.before)
    expect(before).toEqual([undefined, { unreadable: 'more than 256 KiB' }, { unreadable: 'the service answered 500' }])
  })

  test('a large answer of a service reaches the console whole', async () => {
    const large = { id: account, text: 'x'.repeat(200 * 1024) }
    accounts.answer((request) => (request.method === 'POST' ? Response.json(large) : accountService(request)))
    const { body } = await gateway.post('/account/v1/accounts', { customerId: account }, await as('operator'))
    accounts.answer(accountService)
    expect(body).toEqual(large)
  })

  test('an answer without an end is streamed', async () => {
    const from = await rowCount()
    const stop = Promise.withResolvers<void>()
    const hanging = () =>
      new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode('{"id":"x",'))
          await stop.promise
          controller.enqueue(new TextEncoder().encode('"last":true}'))
          controller.close()
        },
      })
    const json = { headers: { 'content-type': 'application/json' } }
    accounts.answer((request) => (request.method === 'POST' ? new Response(hanging(), json) : accountService(request)))
    const asked = gateway.post('/account/v1/accounts', { customerId: account }, await as('operator'))
    await impatiently(() => until(async () => (await rows(from)).length === 2))
    stop.resolve()
    expect((await asked).body).toEqual({ id: 'x', last: true })
    accounts.answer(accountService)
  })
})

describe('refused actions', () => {
  test('a missing role: both rows, 403, and the service is not asked', async () => {
    const [from, before] = [await rowCount(), accounts.requests.length]
    expect((await gateway.put(path, { status: 'active' }, await as('viewer'))).status).toBe(403)
    const found = await rows(from)
    expect(found.map(({ step, status, action }) => [step, status, action])).toEqual([
      ['asked', null, 'PUT /accounts/:id'],
      ['answered', 403, 'PUT /accounts/:id'],
    ])
    expect(found[1]?.parts).toEqual({ problem: 'Your role does not allow this' })
    expect(accounts.requests.length).toBe(before)
  })

  test('an unknown route is recorded without its path, which may hold anything', async () => {
    const from = await rowCount()
    expect((await gateway.post('/account/v1/accounts/secret-path', {}, await as('admin'))).status).toBe(405)
    expect((await rows(from)).map(({ action }) => action)).toEqual(['POST (no such route)', 'POST (no such route)'])
    expect(JSON.stringify(await rows(from))).not.toContain('secret-path')
  })
})

describe('not audited', () => {
  test('reads, payments by API keys, users of participants, rates', async () => {
    const from = await rowCount()
    await gateway.get(path, await as('operator'))
    await gateway.post('/account/v1/accounts', { customerId: account }, withKey)
    await gateway.post(
      '/account/v1/accounts',
      { customerId: account },
      { ...(await as('participant-admin')), ...withKey },
    )
    await gateway.post('/quote/v1/rates', { asset: 'BTC' }, await as('operator'))
    expect(await rows(from)).toEqual([])
  })
})

describe('a log-in through the provider whose answer cannot be read', () => {
  const signOn = { userId: staffId, account: 'created', rolesBefore: [], roles: ['operator'], secondFactorAt: null }
  const answered = JSON.stringify({ data: { accessToken: 'a token', signOn } })
  const refused = JSON.stringify({ error: { message: 'No', details: { issuer: 'i', subject: 's', email: null } } })
  const json = { 'content-type': 'application/json' }
  const unending = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(answered)),
  })

  test.each<[string, string | ReadableStream<Uint8Array>, ResponseInit]>([
    ['is late', unending, { headers: json }],
    ['is too long', answered + ' '.repeat(64 * 1024), { headers: json }],
    ['is too long, of a refusal', refused + ' '.repeat(64 * 1024), { status: 401, headers: json }],
    ['is not JSON', answered, { headers: { 'content-type': 'text/plain' } }],
    ['does not say who it is', '{"data":{"accessToken":"a token"}}', { headers: json }],
  ])('because it %s: 503, and nobody is logged in', async (_, body, init) => {
    const { identity } = gateway
    identity.server.answer((request) =>
      request.url.endsWith('/complete') ? new Response(body, init) : identity.handle(request),
    )
    const url = `${gateway.url}/identity/v1/auth/single-sign-on/complete`
    const sent = { method: 'POST', headers: json, body: '{"attempt":"x","query":"code=x"}' }
    const answer = await impatiently(() => fetch(url, sent))
    identity.server.answer(identity.handle)
    expect(answer.status).toBe(503)
    expect(await answer.text()).not.toContain('a token')
  })
})

test('concurrent actions form one chain', async () => {
  const from = await rowCount()
  const headers = await as('operator')
  await Promise.all(Array.from({ length: 20 }, () => gateway.put(path, { status: 'active' }, headers)))
  await until(async () => (await rowCount()) === from + 40)
  const numbers = (await rows()).map(({ number }) => number)
  expect(numbers).toEqual(numbers.map((_, i) => i + 1))
})
