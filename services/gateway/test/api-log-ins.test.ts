// Log-ins of staff through the API stand in the audit trail: they can read everything, and reads do not stand there.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { RoleName } from '@bursar/contracts/identity-manager'
import { openStore } from '@bursar/store'
import { placeOn, refuseRows, rowsIn } from '@bursar/testing/service'
import { migrations } from '../src/service'
import { openGateway, refused, type TestGateway } from './harness'

const userId = '01a1fe8f-0000-7000-8000-0000000000c1'
const session = '01a1fe8f-0000-7000-8000-0000000000d1'
const accessToken = `a.${Buffer.from(JSON.stringify({ sid: session })).toString('base64url')}.c`

let gateway: TestGateway
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(() => gateway?.close())

const tokens = (...roles: RoleName[]) => ({
  data: {
    accessToken,
    refreshToken: 'b',
    expiresIn: 900,
    user: { id: userId, email: 'a@bank.example', name: 'A', roles },
  },
})
/** What the identity manager answers to a log-in. */
function answers(body: object | string, init: ResponseInit = {}) {
  const { server, handle } = gateway.identity
  server.answer((request) => {
    if (!new URL(request.url).pathname.startsWith('/v1/auth/')) return handle(request)
    return typeof body === 'string' ? new Response(body, init) : Response.json(body, init)
  })
}
const logIn = (path = '/auth/login') => gateway.post(`/identity/v1${path}`, { email: 'a@bank.example', password: 'x' })
const rows = () =>
  rowsIn<Record<string, unknown>>(gateway.platform.kept('gateway'), 'SELECT * FROM audit_trail ORDER BY number')

test.each([
  ['/auth/login', 'password'],
  ['/auth/mfa', 'second factor'],
])('POST %s is recorded with its user, its session and what it took, before its tokens leave', async (path, by) => {
  answers(tokens('operator'))
  const before = await rows()
  const answer = await logIn(path)
  expect([answer.status, answer.body]).toEqual([200, tokens('operator')])
  const [asked, answered, ...more] = (await rows()).slice(before.length)
  expect(more).toEqual([])
  const act = { actor: userId, session, door: 'api', roles: 'operator', action: `POST ${path}`, object: userId }
  expect(asked).toMatchObject({ ...act, address: '127.0.0.1', status: null })
  expect(JSON.parse(String(asked?.detail)).request).toEqual({ by })
  expect(answered).toMatchObject({ ...act, status: 200 })
})

describe('not recorded', () => {
  test.each<[string, object, ResponseInit]>([
    ['a log-in of an institution’s user', tokens('participant-admin'), {}],
    [
      'a password that a code must follow',
      { data: { mfaRequired: true, challenge: 'c', methods: ['code'], expiresIn: 300 } },
      {},
    ],
    ['a wrong password', { error: { code: 'UNAUTHORIZED', message: 'No' } }, { status: 401 }],
  ])('%s', async (_, body, init) => {
    answers(body, init)
    const before = await rows()
    const answer = await logIn()
    expect([answer.status, answer.body]).toEqual([init.status ?? 200, body])
    expect(await rows()).toEqual(before)
  })
})

describe('503, and no tokens', () => {
  test.each<[string, string, ResponseInit]>([
    [
      'too long an answer',
      JSON.stringify(tokens('admin')) + ' '.repeat(64 * 1024),
      { headers: { 'content-type': 'application/json' } },
    ],
    ['an answer that is not JSON', JSON.stringify(tokens('admin')), { headers: { 'content-type': 'text/plain' } }],
  ])('for %s', async (_, body, init) => {
    answers(body, init)
    expect(refused(await logIn(), 503).code).toBe('SERVICE_UNAVAILABLE')
  })

  test('while the trail cannot be written', async () => {
    const { platform } = gateway
    await platform.stop('gateway')
    const place = { service: 'gateway', ...placeOn(platform.kept('gateway')), migrations } as const
    const store = await openStore(place)
    await store.commit((tx) => refuseRows(tx, 'audit_trail', 'The disk is full'))
    await store.close()
    await platform.start('gateway')
    answers(tokens('admin'))
    expect(refused(await logIn(), 503).code).toBe('SERVICE_UNAVAILABLE')
    answers(tokens('participant-user'))
    expect((await logIn()).status).toBe(200)
  })
})
