import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createIdentity, identityHeader, openInternalSecret } from '@bursar/http'
import { until } from '@bursar/testing'
import { openConsole, ownPage, type TestConsole } from './console-harness'

let consoles: TestConsole
let cookie: string
beforeAll(async () => {
  consoles = await openConsole({ AUTHORIZATION: 'documented', RATE_LIMIT_STREAMS: '2' })
  cookie = await consoles.logIn()
})
afterAll(() => consoles?.close())

const ask: TestConsole['ask'] = (path, asked) => consoles.ask(path, { cookie, ...asked })
const codeOf = ({ status, body }: { status: number; body: { error?: { code?: string } } }) => [
  status,
  body?.error?.code,
]

describe('a request to a service', () => {
  test('has path, query and body, as the user of the session', async () => {
    const { body: session } = await ask('/session')
    const headers = { 'idempotency-key': 'k-1', 'x-request-id': 'req-console-1' }
    const answer = await ask('/core/v1/assets?x=1&x=2', { body: { name: 'Ä' }, headers })
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, 'req-console-1'])
    const { method, path, body, headers: sent } = answer.body
    expect([method, path, body]).toEqual(['POST', '/v1/assets?x=1&x=2', '{"name":"Ä"}'])
    expect([sent['idempotency-key'], sent['x-request-id'], sent['x-forwarded-for']]).toEqual([
      'k-1',
      'req-console-1',
      '127.0.0.1',
    ])
    const secret = openInternalSecret(consoles.platform.dataDir, undefined)
    const caller = await createIdentity('core-ledger', secret, () => new Date()).read(
      new Request('http://localhost/', { headers: { [identityHeader]: sent[identityHeader] } }),
    )
    expect(caller).toMatchObject({ kind: 'user', subject: session.user.id, roles: ['admin'], participantId: null })
  })

  test('has no other credentials or identity of the caller', async () => {
    const forged = await createIdentity('gateway', Buffer.alloc(32), () => new Date()).sign(
      { kind: 'service', subject: 'gateway', participantId: null, roles: [] },
      'core-ledger',
    )
    const headers = {
      [identityHeader]: forged,
      authorization: 'Bearer x',
      'x-api-key': 'x',
      'x-forwarded-for': '192.0.2.9',
      'x-forwarded-proto': 'https',
      forwarded: 'for=192.0.2.9',
    }
    const { body } = await ask('/core/v1/assets', { headers })
    expect(body.headers[identityHeader]).not.toBe(forged)
    expect(body.headers['x-forwarded-for']).toBe('127.0.0.1')
    for (const name of ['authorization', 'x-api-key', 'forwarded', 'cookie', 'x-console', 'sec-fetch-site', 'origin']) {
      expect([name, body.headers[name]]).toEqual([name, undefined])
    }
  })

  test('takes the same forms of a path as the API', async () => {
    expect((await ask('/core/assets')).body.path).toBe('/v1/assets')
    expect((await ask('/api/v1/core/transactions')).body.path).toBe('/api/v1/core/transactions')
    expect((await ask('/main/v1/admin/pfi')).body.path).toBe('/v1/admin/pfi')
    expect((await ask('/tracker/v1/log-messages')).body.path).toBe('/v1/log-messages')
  })

  test('HEAD is sent as GET, without a body', async () => {
    const answer = await ask('/core/v1/assets', { method: 'HEAD' })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})

describe('not served to sessions', () => {
  test.each([
    '/core/internal/x',
    '/core/v1/internal/x',
    '/core/v1/swagger/json',
    '/core/metrics',
    '/gateway/v1/health',
    '/core/v1/none',
    '/identity/v1/auth/login',
    '/identity/v1/auth/refresh',
    '/identity/v1/users/register',
    '/identity/v1/users/change-password-token',
    '/identity/v1/auth/change-password/x',
    '/identity/auth/login',
    '/identity/v1/./auth/login',
    '/none/v1/x',
  ])('404: %s', async (path) => {
    for (const body of [undefined, {}]) expect(codeOf(await ask(path, { body }))).toEqual([404, 'NOT_FOUND'])
  })

  test('405 for a method that the route does not support, 403 for one that the console never sends', async () => {
    const put = await ask('/core/v1/assets', { method: 'PUT', body: {} })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect((await ask('/core/v1/assets', { method: 'OPTIONS', headers: { 'x-console': null } })).status).toBe(403)
  })

  test('413 for a body that is too large', async () => {
    expect((await ask('/core/v1/assets', { body: { text: 'x'.repeat(1_100_000) } })).status).toBe(413)
  })

  test('400: a WebSocket', async () => {
    const answer = await ask('/tracker/v1/log-messages/stream', {
      headers: {
        upgrade: 'websocket',
        connection: 'upgrade',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'eA==',
      },
    })
    expect(answer.status).toBe(400)
  })
})

describe('roles are checked, even where the API does not', () => {
  let viewer: string
  beforeAll(async () => {
    viewer = await consoles.member({ role: 'viewer' }).then(consoles.logIn)
  })

  test('403 for a viewer that writes, and for lists of administrators', async () => {
    expect((await ask('/core/v1/assets', { cookie: viewer })).status).toBe(200)
    expect(codeOf(await ask('/core/v1/assets', { cookie: viewer, body: {} }))).toEqual([403, 'FORBIDDEN'])
    expect(codeOf(await ask('/main/v1/admin/users', { cookie: viewer }))).toEqual([403, 'FORBIDDEN'])
    expect((await ask('/main/v1/admin/users')).status).toBe(200)
  })

  test('403 for a participant’s user on objects of others; no API key is required', async () => {
    const participantId = Bun.randomUUIDv7()
    const own = await consoles.member({ role: 'participant-user', participantId }).then(consoles.logIn)
    expect(codeOf(await ask('/core/v1/transactions', { cookie: own }))).toEqual([403, 'FORBIDDEN'])
    expect(codeOf(await ask('/tracker/v1/log-messages', { cookie: own }))).toEqual([403, 'FORBIDDEN'])
    const detail = await ask('/main/v1/participants/detail', { cookie: own })
    expect([detail.status, detail.body.path]).toEqual([200, '/v1/participants/detail'])
    expect(codeOf(await ask(`/participant/v1/participants/${Bun.randomUUIDv7()}`, { cookie: own }))).toEqual([
      404,
      'NOT_FOUND',
    ])
  })
})

describe('400: a rejection without a reason', () => {
  const id = '01a20335-7718-71e7-8835-a7ba5dc5dd08'
  test.each([
    ['POST', `/core/v1/transactions/${id}/reject-frozen-deposit`, {}, { reason: 'No proof of the source' }],
    ['POST', `/core/v1/transactions/${id}/reject-frozen-withdrawal`, { reason: ' ' }, { reason: 'No proof' }],
    ['POST', `/api/v1/core/transactions/${id}/reject-frozen-deposit`, { reason: null }, { reason: 'No proof' }],
    ['POST', `/core/v1/transactions/${id}/fail`, { reason: 1 }, { reason: 'Lost' }],
    ['PUT', `/main/v1/admin/pfi/${id}/status`, { status: 'REJECTED' }, { status: 'REJECTED', comments: 'Forged' }],
    ['PUT', `/main/v1/admin/pfi/${id}/status`, { status: 'PAUSED', comments: '' }, { status: 'APPROVED' }],
    ['PUT', `/main/v1/admin/pfi/${id}/status`, { status: 'OFFBOARDED' }, { status: 'OFFBOARDED', comments: 'Left' }],
  ])('%s %s', async (method, path, without, withReason) => {
    const answer = await ask(path, { method, body: without })
    expect(codeOf(answer)).toEqual([400, 'INVALID_REQUEST'])
    expect(answer.body.error.message).toMatch(/ must say why$/)
    const passed = await ask(path, { method, body: withReason })
    expect([passed.status, JSON.parse(passed.body.body)]).toEqual([200, withReason])
  })

  test.each([
    [`/transactions/v1/transfer/${id}/review`, { status: 'REJECTED' }, { status: 'REJECTED', comment: 'Twice' }],
    ...['transfer', 'withdrawal', 'deposit', 'do-deposit'].flatMap((kind) =>
      ['REJECTED', 'CANCELLED', 'FAILED'].map((status): [string, object, object] => [
        `/transactions/v1/${kind}/${id}`,
        { status, comment: ' ' },
        { status, comment: 'Twice' },
      ]),
    ),
    ...['suspended', 'inactive', 'deleted'].flatMap((status): [string, object, object][] => [
      [`/account/v1/accounts/${id}`, { status }, { status, statusReason: 'Asked for' }],
      [`/customer/v1/customers/${id}`, { status, statusReason: '' }, { status: 'active' }],
    ]),
  ])('PUT %s %j', async (path, without, withReason) => {
    const refusal = await ask(path, { method: 'PUT', body: without })
    expect([refusal.status, refusal.body.error.message]).toEqual([400, expect.stringMatching(/ must say why$/)])
    // Whatever its service says to it.
    expect((await ask(path, { method: 'PUT', body: withReason })).status).not.toBe(400)
  })

  test('POST /transfer/cancel', async () => {
    const cancel = (body: object) => ask('/transactions/v1/transfer/cancel', { body })
    const refusal = await cancel({ transactionId: id })
    expect([refusal.status, refusal.body.error.message]).toEqual([400, 'comment must say why'])
    expect((await cancel({ transactionId: id, comment: 'Twice' })).status).not.toBe(400)
  })

  test('without a body, or with one that is not JSON', async () => {
    const path = `/core/v1/transactions/${id}/reject-frozen-deposit`
    expect((await ask(path, { method: 'POST' })).status).toBe(400)
    const url = `${consoles.url}/console/api${path}`
    const headers = { ...ownPage, cookie, 'content-type': 'text/plain' }
    expect((await fetch(url, { method: 'POST', headers, body: 'reason' })).status).toBe(400)
  })
})

describe('streams', () => {
  const open = async (asCookie: string) =>
    await fetch(`${consoles.url}/console/api/tracker/v1/log-messages/stream`, {
      headers: { ...ownPage, cookie: asCookie, accept: 'text/event-stream' },
    })

  test('are passed on, and end with their session', async () => {
    const mine = await consoles.logIn()
    const answer = await open(mine)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toContain(': open')
    const stream = consoles.streams.at(-1)
    expect(stream?.isOpen).toBeTrue()
    await consoles.ask('/session', { method: 'DELETE', cookie: mine })
    await until(async () => (await reader.read()).done, { what: 'the end of the stream' })
    await until(() => stream?.isOpen === false, { what: 'the service to be left' })
  })

  test('end within seconds when the identity manager ends the session', async () => {
    const theirs = await consoles.logIn()
    const { sessionId } = (await consoles.ask('/session', { cookie: theirs })).body
    const reader = ((await open(theirs)).body as ReadableStream<Uint8Array>).getReader()
    await ask(`/identity/v1/users/sessions/${sessionId}`, { method: 'DELETE' })
    await until(async () => (await reader.read()).done, { what: 'the end of the stream' })
  })

  test('are limited by user, over all its sessions', async () => {
    const [one, other] = [await open(cookie), await open(await consoles.logIn())]
    expect((await open(cookie)).status).toBe(429)
    await Promise.all([one, other].map((answer) => answer.body?.cancel()))
    await until(async () => {
      const answer = await open(cookie)
      await answer.body?.cancel()
      return answer.status === 200
    })
    // No place is taken any more when the next test opens one.
    await until(() => consoles.streams.every(({ isOpen }) => !isOpen), { what: 'the service to be left' })
  })

  test('403 for a reader of another site', async () => {
    const headers = { ...ownPage, cookie, 'sec-fetch-site': 'cross-site' }
    const url = `${consoles.url}/console/api/tracker/v1/log-messages/stream`
    expect((await fetch(url, { headers })).status).toBe(403)
  })
})
