// What the gateway lets an institution do that was paused, offboarded or deleted (decisions, Institutions).
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { admin, openConsole, type TestConsole } from './console-harness'
import { openGateway, refused, type TestGateway } from './harness'

const bank = '01a1fe8f-0000-7000-8000-0000000000b1'
const other = '01a1fe8f-0000-7000-8000-0000000000b2'
const key = { 'x-api-key': 'sk_test_bank' }
const otherKey = { 'x-api-key': 'sk_test_other' }

describe('requests', () => {
  let gateway: TestGateway
  let user: Record<string, string>
  beforeEach(async () => {
    gateway = await openGateway()
    gateway.main.issue(key['x-api-key'], { participantId: bank })
    gateway.main.issue(otherKey['x-api-key'], { participantId: other })
    gateway.main.move(bank, 'APPROVED')
    gateway.main.move(other, 'APPROVED')
    user = await gateway.user({ participantId: bank })
    await allowed()
  })
  afterEach(() => gateway?.close())

  const read = (headers: Record<string, string>) => gateway.get('/core/v1/transactions', headers)
  const write = (headers: Record<string, string>) => gateway.post('/core/v1/transactions/withdrawal', {}, headers)
  const statuses = async (headers: Record<string, string>) =>
    `${(await read(headers)).status} ${(await write(headers)).status}`
  async function allowed() {
    for (const each of [key, user]) expect(await statuses(each)).toBe('200 200')
  }
  const becomes = (headers: Record<string, string>, expected: string) =>
    until(async () => (await statuses(headers)) === expected, { what: expected })

  test('paused: its key and its users read, and nothing else, until it goes on', async () => {
    gateway.main.move(bank, 'PAUSED')
    await becomes(key, '200 403')
    await becomes(user, '200 403')
    expect(refused(await write(key), 403).code).toBe('INSTITUTION_PAUSED')
    expect((await gateway.ask('HEAD', '/core/v1/transactions', undefined, key)).status).toBe(200)
    for (const [headers, isPaused] of [
      [key, true],
      [user, true],
      [otherKey, undefined],
    ] as const) {
      const told = await gateway.callerIn((await read(headers)).body.headers, 'core-ledger')
      expect(told?.isPaused).toBe(isPaused)
    }
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      expect((await gateway.ask(method, `/account/v1/accounts/${bank}`, {}, user)).status).toBe(403)
    }
    const invitation = await gateway.post('/identity/v1/users', {}, user)
    expect(refused(invitation, 403).code).toBe('INSTITUTION_PAUSED')
    expect((await gateway.post('/main/v1/participants/api-key', {}, { ...user, ...key })).status).toBe(403)
    expect(await statuses(otherKey)).toBe('200 200')
    expect((await write(await gateway.user({ roles: ['admin'] }))).status).toBe(200)
    gateway.main.move(bank, 'APPROVED')
    await becomes(key, '200 200')
  })

  test('paused: its users still log in and out, and manage their passwords and sessions', async () => {
    gateway.main.move(bank, 'PAUSED')
    await becomes(user, '200 403')
    for (const path of ['/auth/login', '/auth/refresh', '/auth/logout', '/users/change-password-token']) {
      expect([path, (await gateway.post(`/identity/v1${path}`, {}, user)).status]).toEqual([path, 200])
    }
    const session = `/identity/v1/users/sessions/${Bun.randomUUIDv7()}`
    expect((await gateway.ask('DELETE', session, undefined, user)).status).toBe(200)
    for (const act of ['password-reset', 'mfa-reset', 'sessions/more']) {
      const answer = await gateway.post(`/identity/v1/users/${Bun.randomUUIDv7()}/${act}`, {}, user)
      expect([act, refused(answer, 403).code]).toEqual([act, 'INSTITUTION_PAUSED'])
    }
  })

  test('paused: so is who acts for it by its key', async () => {
    gateway.main.move(bank, 'PAUSED')
    const staff = { ...(await gateway.user({ roles: ['operator'] })), ...key }
    await becomes(staff, '200 403')
  })

  test.each(['offboarded', 'deleted'])('%s: neither keys nor sessions are valid', async (how) => {
    if (how === 'deleted') gateway.participant.delete(bank)
    else gateway.main.move(bank, 'OFFBOARDED')
    await becomes(key, '401 401')
    await becomes(user, '401 401')
    expect(refused(await read(key), 401).code).toBe('INVALID_API_KEY')
    expect(refused(await read(user), 401).code).toBe('UNAUTHORIZED')
    // Where nobody need say who he is, it is nobody.
    const answer = await gateway.post('/identity/v1/auth/login', {}, user)
    expect((await gateway.callerIn(answer.body.headers, 'identity-manager'))?.kind).toBe('anonymous')
    expect(await statuses(otherKey)).toBe('200 200')
  })

  test('a gateway that has just started refuses from its first request on', async () => {
    gateway.main.move(bank, 'OFFBOARDED')
    const another = await gateway.another()
    expect((await another.get('/core/v1/transactions', user)).status).toBe(401)
  })

  test('while the status of institutions is unknown, a new gateway refuses institutions and nobody else', async () => {
    await gateway.main.server.stop()
    const another = await gateway.another()
    expect(refused(await another.get('/core/v1/transactions', user), 503).code).toBe('SERVICE_UNAVAILABLE')
    expect((await another.get('/core/v1/transactions', await gateway.user({ roles: ['viewer'] }))).status).toBe(200)
    // One that knew goes on.
    expect((await gateway.get('/core/v1/transactions', user)).status).toBe(200)
  })

  test('after a restore of the main API its restored status counts', async () => {
    gateway.main.move(bank, 'OFFBOARDED')
    await becomes(user, '401 401')
    gateway.main.institutions.restart({ without: bank })
    await becomes(user, '200 200')
  })
})

describe('the console', () => {
  let console_: TestConsole
  beforeEach(async () => {
    console_ = await openConsole()
  })
  afterEach(() => console_?.close())

  test('a session of an institution reads while that is paused, and ends with it', async () => {
    const member = await console_.member({ role: 'participant-admin', participantId: bank })
    const cookie = await console_.logIn(member)
    const staff = await console_.logIn(admin)
    const status = async (method: 'GET' | 'POST') =>
      (
        await console_.ask('/webhook/v1/webhooks/endpoints', {
          method,
          cookie,
          ...(method === 'POST' ? { body: {} } : {}),
        })
      ).status
    expect(await status('GET')).not.toBe(403)
    console_.main.move(bank, 'PAUSED')
    await until(async () => (await status('POST')) === 403)
    expect(await status('GET')).not.toBe(403)
    console_.main.move(bank, 'OFFBOARDED')
    await until(async () => (await status('GET')) === 401)
    expect((await console_.ask('/session', { cookie })).status).toBe(401)
    expect((await console_.ask('/session', { cookie: staff })).status).toBe(200)
  })
})
