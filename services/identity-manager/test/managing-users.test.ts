import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { findUser, storeUser } from '../src/users/users'
import { nobody, openService, participant, refused, roleIds, type TestIdentityManager } from './harness'
import { sessionCalls } from './session-calls'

// What the users page of the console needs.
let service: TestIdentityManager
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service?.close())
afterEach(() => void setSystemTime())

const { logIn, refresh, revocations } = sessionCalls(() => service)

const namesOf = async (query: string, headers = {}) =>
  (await service.get(`/users?${query}`, headers)).body.data.map(({ name }: { name: string }) => name)

describe('GET /users', () => {
  let as: Record<string, string>
  beforeAll(async () => {
    const participantId = Bun.randomUUIDv7()
    const fields = { participantId }
    const ada = await service.member({
      ...fields,
      name: 'Ada',
      email: 'ada@harbour.example',
      role: 'participant-admin',
    })
    await service.put(`/users/${ada.id}`, { name: 'Ada Öström' })
    await service.member({ ...fields, name: 'Bo 100%', email: 'bo_1@harbour.example' })
    const cleo = await service.member({ ...fields, name: 'Cleo', email: 'cleo@quay.example' })
    await service.put(`/users/${cleo.id}`, { status: 'DISABLED' })
    as = await service.as({ kind: 'participant', subject: participantId, participantId })
  })

  test.each([
    ['q=ÖSTRÖM', ['Ada Öström']],
    ['q=harbour', ['Ada Öström', 'Bo 100%']],
    ['q=100%25', ['Bo 100%']],
    ['q=o_1', ['Bo 100%']],
    ['q=%25', ['Bo 100%']],
    ['q=nobody', []],
    ['q=', ['Ada Öström', 'Bo 100%', 'Cleo']],
    ['status=DISABLED', ['Cleo']],
    ['status=ACTIVE&q=harbour&role=participant-user', ['Bo 100%']],
    ['role=participant-admin', ['Ada Öström']],
    ['role=admin', []],
    ['order=desc', ['Cleo', 'Bo 100%', 'Ada Öström']],
    ['order=asc&limit=1&offset=1', ['Bo 100%']],
  ])('%s', async (query, names) => {
    expect(await namesOf(query, as)).toEqual(names)
  })

  test('the total is that of the filters, whatever the page', async () => {
    const { body } = await service.get('/users?q=harbour&limit=1&order=desc', as)
    expect([body.data.length, body.pageInfo.total]).toEqual([1, 2])
  })

  test.each(['asc', 'desc'])('after: page by page, %s', async (order) => {
    const all = await namesOf(`order=${order}`, as)
    const seen: string[] = []
    let after = ''
    for (let page = 0; page < 4; page++) {
      const { data } = (await service.get(`/users?order=${order}&limit=1${after}`, as)).body
      if (data.length === 0) break
      seen.push(data[0].name)
      after = `&after=${data[0].id}`
    }
    expect(seen).toEqual(all)
  })

  test('a name that changes is found only by the new one', async () => {
    const member = await service.member({ name: 'Dag Old' })
    await service.put(`/users/${member.id}`, { name: 'Dag New' })
    expect(await namesOf('q=dag')).toEqual(['Dag New'])
    expect(await namesOf('q=dag old')).toEqual([])
  })

  test.each(['status=AWAY', 'role=king', 'order=up', 'after=1', `q=${'x'.repeat(101)}`])('400: %s', async (query) => {
    expect((await service.get(`/users?${query}`)).status).toBe(400)
  })
})

describe('DELETE /users/:userId/sessions', () => {
  test('ends all sessions of the user: its own, and those of users it manages', async () => {
    const { manager, member, asManager, asMember } = await participant(service)
    for (const [headers, user] of [
      [asMember, member],
      [asManager, member],
      [{}, manager],
    ] as const) {
      const sessions = [await logIn(user), await logIn(user)]
      const answer = await service.del(`/users/${user.id}/sessions`, headers)
      expect([answer.status, answer.body.success]).toEqual([200, true])
      for (const { refreshToken } of sessions) expect((await refresh(refreshToken)).status).toBe(401)
      const ended = await revocations()
      for (const { sid } of sessions) expect(ended.has(sid)).toBeTrue()
    }
  })

  test('404 for a user that the caller does not manage; its sessions continue', async () => {
    const { manager, asMember } = await participant(service)
    const { asManager: asOther } = await participant(service)
    const { refreshToken } = await logIn(manager)
    for (const headers of [asMember, asOther]) {
      expect(refused(await service.del(`/users/${manager.id}/sessions`, headers), 404).code).toBe('NOT_FOUND')
    }
    expect((await refresh(refreshToken)).status).toBe(200)
    expect((await service.del(`/users/${nobody}/sessions`)).status).toBe(404)
  })

  test('401 without a user', async () => {
    const headers = await service.as({ kind: 'anonymous', subject: '192.0.2.1' })
    expect((await service.del(`/users/${nobody}/sessions`, headers)).status).toBe(401)
  })
})

test('a user that lost its roles at the provider is its administrators’ to manage, not its colleagues’', async () => {
  const { member, asManager, asMember, participantId } = await participant(service)
  const roleless = await service.member({ participantId })
  const row = await findUser(service.deps.store.read, roleless.id)
  if (!row) throw new Error('There is no such user')
  await service.deps.store.commit((tx) => storeUser(tx, { ...row, roles: [] }))
  const path = `/users/${roleless.id}`
  const change = (headers: Record<string, string>) => service.put(path, { email: 'mine@bank.example' }, headers)
  const asOperator = await service.asUser({ id: member.id, roles: ['operator'], participantId })
  for (const headers of [asMember, asOperator]) {
    expect(refused(await change(headers), 404).code).toBe('NOT_FOUND')
    expect((await service.post(`${path}/password-reset`, undefined, headers)).status).toBe(404)
    expect((await service.post(`${path}/mfa-reset`, undefined, headers)).status).toBe(404)
    expect((await service.del(path, headers)).status).toBe(404)
  }
  expect((await change(asManager)).status).toBe(200)
})

test('a user with a role beyond its institution is not its administrators’ to manage', async () => {
  const { asManager, participantId } = await participant(service)
  const { id } = await service.member({ participantId })
  const row = await findUser(service.deps.store.read, id)
  if (!row) throw new Error('There is no such user')
  await service.deps.store.commit((tx) => storeUser(tx, { ...row, roles: ['participant-user', 'operator'] }))
  expect(refused(await service.post(`/users/${id}/password-reset`, undefined, asManager), 404).code).toBe('NOT_FOUND')
})

describe('POST /users/:userId/password-reset', () => {
  test('mails a link, ends the sessions, and makes the user choose a new password', async () => {
    const { member, asManager, asMember } = await participant(service)
    const { refreshToken } = await logIn(member)
    const { status, body } = await service.post(`/users/${member.id}/password-reset`, undefined, asManager)
    expect([status, body.mustChangePassword]).toEqual([200, true])
    expect((await refresh(refreshToken)).status).toBe(401)
    expect((await service.get('/users/profile', asMember)).body.mustChangePassword).toBeTrue()
    const token = await service.tokenFor(member.email)
    const set = await service.post(`/auth/reset-password/${token}`, { password: 'nine tall windmills' })
    expect(set.status).toBe(200)
    expect((await service.get('/users/profile', asMember)).body.mustChangePassword).toBeFalse()
    expect((await service.logIn(member.email, 'nine tall windmills')).status).toBe(200)
  })

  test('an invited user gets its invitation again', async () => {
    const body = {
      email: 'late@bank.example',
      name: 'Late',
      roleNames: ['viewer'],
      participantId: null,
      custodianId: null,
    }
    const { id } = await service.create('/internal/users', body, await service.asService('main-api'))
    const answer = await service.post(`/users/${id}/password-reset`)
    expect([answer.status, answer.body.status, answer.body.mustChangePassword]).toEqual([200, 'INVITED', false])
    expect((await service.mailsTo('late@bank.example')).length).toBe(2)
  })

  test('409 for a disabled user, 404 for another owner’s user, and for a caller that is not an admin', async () => {
    const { manager, member, asMember } = await participant(service)
    const { asManager: asOther } = await participant(service)
    expect((await service.post(`/users/${member.id}/password-reset`, undefined, asOther)).status).toBe(404)
    expect((await service.post(`/users/${manager.id}/password-reset`, undefined, asMember)).status).toBe(404)
    await service.put(`/users/${member.id}`, { status: 'DISABLED' })
    const answer = refused(await service.post(`/users/${member.id}/password-reset`), 409)
    expect([answer.code, answer.message]).toEqual(['CONFLICT', 'The user is disabled'])
    expect((await service.mailsTo(member.email)).length).toBe(1)
  })
})

test('staff sees the names of all who did something; users of others see those of their owner', async () => {
  const { member, manager, asMember } = await participant(service)
  const operator = await service.member({ role: 'operator' })
  const ids = [member.id, operator.id].join(',')
  const seen = async (headers: Record<string, string>) =>
    (await service.get(`/users/usernames?ids=${ids}`, headers)).body.data.map(({ id }: { id: string }) => id)
  for (const role of ['operator', 'viewer']) {
    expect(await seen(await service.asUser({ id: operator.id, roles: [role] }))).toEqual([member.id, operator.id])
  }
  expect(await seen(asMember)).toEqual([member.id])
  expect(await seen(await service.asUser({ id: manager.id, roles: ['custodian-user'] }))).toEqual([])
  expect(
    (await service.get('/users', await service.asUser({ id: operator.id, roles: ['operator'] }))).body.data,
  ).toEqual([])
})

describe('for the gateway', () => {
  test('GET /internal/users/:id/known: for services only', async () => {
    const { id, email } = await service.member()
    const path = `/internal/users/${id}/known`
    const { status, body } = await service.get(path, await service.asService('gateway'))
    expect([status, body.email, body.mustChangePassword]).toEqual([200, email, false])
    expect((await service.get(path)).status).toBe(401)
    expect((await service.get(`/internal/users/${nobody}/known`, await service.asService('gateway'))).status).toBe(404)
  })
})

describe('mails to one address', () => {
  test('are few, however its institution’s administrator has them sent; other addresses get theirs', async () => {
    const { asManager } = await participant(service)
    const email = 'victim@elsewhere.example'
    const roleId = roleIds['participant-user']
    const invite = (to: string) => service.post('/users', { email: to, name: 'Some Body', roleId }, asManager)
    const sent = async () => (await service.mailsTo(email)).length
    // The refusal says how many seconds are left, however long the mails took.
    setSystemTime(new Date())

    for (let i = 0; i < 2; i++) {
      const { status, body } = await invite(email)
      expect(status).toBe(201)
      expect((await service.post(`/users/${body.id}/password-reset`, undefined, asManager)).status).toBe(200)
      expect((await service.del(`/users/${body.id}`, asManager)).status).toBe(200)
    }
    const { body: last } = await invite(email)
    const again = await service.post(`/users/${last.id}/password-reset`, undefined, asManager)
    expect([refused(again, 429).code, again.headers.get('retry-after')]).toEqual(['RATE_LIMITED', '300'])
    // The address that a user leaves is told.
    expect((await service.put(`/users/${last.id}`, { email: 'other@elsewhere.example' }, asManager)).status).toBe(429)
    expect((await service.del(`/users/${last.id}`, asManager)).status).toBe(200)
    expect((await invite(email)).status).toBe(429)
    expect(await sent()).toBe(5)
    expect((await invite('another@elsewhere.example')).status).toBe(201)
  })
})
