import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  admin,
  nobody,
  openService,
  participant,
  refused,
  roleIds,
  type TestIdentityManager,
  uuidExpected,
} from './harness'

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

let service: TestIdentityManager
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

let made = 0
const nextEmail = () => `Somebody-${++made}@bank.example`
const invite = (body: object = {}, headers = {}) =>
  service.post('/users', { email: nextEmail(), name: 'Some Body', roleId: roleIds.viewer, ...body }, headers)

describe('GET /users', () => {
  const ids = async (headers = {}, query = '') =>
    (await service.get(`/users${query}`, headers)).body.data.map(({ id }: { id: string }) => id)

  test('200 with all of them, oldest first, without credentials, for services and administrators', async () => {
    const own = await openService()
    for (let i = 0; i < 3; i++) await own.post('/users', { email: nextEmail(), name: 'X', roleId: roleIds.viewer })
    const { status, body } = await own.get('/users')
    expect([status, body.pageInfo]).toEqual([200, { limit: 20, offset: 0, total: 4 }])
    expect(body.data.map(({ email }: { email: string }) => email)[0]).toBe(admin.email)
    const sorted = body.data.map(({ id }: { id: string }) => id)
    expect(sorted).toEqual(sorted.toSorted())
    for (const headers of [await own.asService('main-api'), await own.asUser({ id: nobody, roles: ['admin'] })]) {
      expect((await own.get('/users', headers)).body).toEqual(body)
    }
    const page = (await own.get('/users?limit=2&offset=1')).body
    expect([page.data, page.pageInfo]).toEqual([body.data.slice(1, 3), { limit: 2, offset: 1, total: 4 }])
    expect((await own.get('/users?limit=0')).body).toEqual({ data: [], pageInfo: { limit: 0, offset: 0, total: 4 } })
    await own.close()
  })

  test('200 with those of the caller’s participant, or custodian bank, alone', async () => {
    const { participantId, manager, member, asManager, asMember } = await participant(service)
    await participant(service)
    expect(await ids(asManager)).toEqual([manager.id, member.id])
    expect(await ids(asMember)).toEqual([manager.id, member.id])
    expect(await ids(await service.asParticipant(participantId))).toEqual([manager.id, member.id])
    const custodianId = Bun.randomUUIDv7()
    const clerk = await service.member({ custodianId, role: 'custodian-user' })
    expect(await ids(await service.asUser({ ...clerk, roles: [clerk.role] }))).toEqual([clerk.id])
  })

  test('200 with nobody for a user of neither', async () => {
    const { body } = await service.get('/users', await service.asUser({ id: nobody, roles: ['operator'] }))
    expect(body).toEqual({ data: [], pageInfo: { limit: 20, offset: 0, total: 0 } })
  })

  test.each([
    ['limit=101', 'limit must not be greater than 100'],
    ['limit=-1', 'limit must not be less than 0'],
    ['limit=1e1', 'limit must be an integer'],
    ['offset=x', 'offset must be an integer'],
    ['offset=100001', 'offset must not be greater than 100000: narrow the list by its filters'],
  ])('400 for %s', async (query, message) => {
    expect(refused(await service.get(`/users?${query}`), 400).message).toBe(message)
  })

  test('401 for a caller whom the gateway does not know', async () => {
    const anonymous = await service.as({ kind: 'anonymous', subject: '203.0.113.1' })
    expect(refused(await service.get('/users', anonymous), 401).code).toBe('UNAUTHORIZED')
  })
})

describe('GET /users/profile', () => {
  test('200 with the user that calls', async () => {
    const { id, email, name } = await service.member()
    const { status, body } = await service.get('/users/profile', await service.asUser({ id }))
    expect([status, body]).toMatchObject([200, { id, email, name, status: 'ACTIVE', roles: ['operator'] }])
    expect(Object.keys(body)).not.toContain('passwordHash')
  })

  test('401 without a user, 404 for one that is gone', async () => {
    for (const headers of [{}, await service.asParticipant(nobody), await service.asService('gateway')]) {
      expect(refused(await service.get('/users/profile', headers), 401).code).toBe('UNAUTHORIZED')
    }
    expect(refused(await service.get('/users/profile', await service.asUser({ id: nobody })), 404).code).toBe(
      'NOT_FOUND',
    )
  })
})

describe('GET /users/usernames', () => {
  const names = (ids: string, headers = {}) => service.get(`/users/usernames?ids=${ids}`, headers)

  test('200 with the names of those that the caller sees', async () => {
    const { manager, member, asManager } = await participant(service)
    const stranger = await service.member()
    const ids = [member.id, manager.id.toUpperCase(), stranger.id, nobody, member.id].join(',')
    const own = [manager, member].map(({ id, name }) => ({ id, name }))
    const { status, body } = await names(ids, asManager)
    expect([status, body]).toEqual([200, { data: own }])
    expect((await names(ids)).body.data).toHaveLength(3)
  })

  test('200 with none', async () => {
    expect((await names('')).body).toEqual({ data: [] })
    expect((await names(nobody)).body).toEqual({ data: [] })
  })

  test('200 for a hundred, 400 for more, for what is no id, and without ids', async () => {
    const many = Array.from({ length: 100 }, () => Bun.randomUUIDv7())
    expect((await names(many.join(','))).status).toBe(200)
    expect(refused(await names([...many, nobody].join(',')), 400).message).toBe('ids must be at most 100')
    expect(refused(await names(`${nobody},x`), 400).message).toBe('ids must be UUIDs separated by commas')
    expect(refused(await service.get('/users/usernames'), 400).message).toBe('ids should not be empty')
  })
})

describe('GET /users/participant-roles and /users/custodian-roles', () => {
  test('200 with the roles, whose ids are the same everywhere', async () => {
    const { status, body } = await service.get('/users/participant-roles')
    expect(status).toBe(200)
    expect(body.data).toEqual([
      { id: roleIds['participant-admin'], name: 'participant-admin', permissions: expect.any(Array) },
      { id: roleIds['participant-user'], name: 'participant-user', permissions: expect.any(Array) },
    ])
    const custodian = (await service.get('/users/custodian-roles')).body.data
    expect(custodian.map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
      [roleIds['custodian-admin'], 'custodian-admin'],
      [roleIds['custodian-user'], 'custodian-user'],
    ])
  })
})

describe('PUT /users/:userId', () => {
  test('200 with the given fields changed, and no others', async () => {
    const { body: before } = await invite()
    const email = nextEmail()
    const { status, body } = await service.put(`/users/${before.id}`, {
      email,
      name: 'New Name',
      roleId: roleIds.operator,
    })
    expect([status, body]).toEqual([
      200,
      { ...before, email, name: 'New Name', roles: ['operator'], updatedAt: expect.stringMatching(isoTime) },
    ])
    expect((await service.put(`/users/${before.id}`, {})).body).toEqual(body)
  })

  test('200: a user is disabled, and made active again; one without a password is invited again', async () => {
    const { id } = await service.member()
    expect((await service.put(`/users/${id}`, { status: 'DISABLED' })).body.status).toBe('DISABLED')
    expect((await service.put(`/users/${id}`, { status: 'ACTIVE' })).body.status).toBe('ACTIVE')
    const { body } = await invite()
    expect((await service.put(`/users/${body.id}`, { status: 'DISABLED' })).body.status).toBe('DISABLED')
    expect((await service.put(`/users/${body.id}`, { status: 'ACTIVE' })).body.status).toBe('INVITED')
  })

  test('the address before is told of another one', async () => {
    const { body } = await invite()
    await service.put(`/users/${body.id}`, { email: nextEmail() })
    expect((await service.mailsTo(body.email)).at(-1)).toContain('Your address at Bursar was changed')
    const mails = (await service.mailsTo(body.email)).length
    await service.put(`/users/${body.id}`, { name: 'Other' })
    expect(await service.mailsTo(body.email)).toHaveLength(mails)
  })

  test('200 for the users of a participant by its admin, and by its API key', async () => {
    const { participantId, manager, member, asManager } = await participant(service)
    const email = nextEmail()
    const changes = { name: 'Theirs', email, roleId: roleIds['participant-admin'] }
    const { status, body } = await service.put(`/users/${member.id}`, changes, asManager)
    expect([status, body]).toMatchObject([200, { name: 'Theirs', email, roles: ['participant-admin'] }])
    const byKey = await service.asParticipant(participantId)
    expect((await service.put(`/users/${manager.id}`, { status: 'DISABLED' }, byKey)).status).toBe(200)
  })

  test('a user changes its own name alone: who has its session must not get the account', async () => {
    const { manager, member, asMember } = await participant(service)
    expect((await service.put(`/users/${member.id}`, { name: 'Mine' }, asMember)).body.name).toBe('Mine')
    for (const [field, value] of [
      ['email', nextEmail()],
      ['roleId', roleIds['participant-admin']],
      ['status', 'DISABLED'],
    ]) {
      const answer = await service.put(`/users/${member.id}`, { name: 'Other', [String(field)]: value }, asMember)
      expect(refused(answer, 400).message).toBe(`${field} can be changed by an administrator only`)
    }
    expect(refused(await service.put(`/users/${manager.id}`, { name: 'X' }, asMember), 404).code).toBe('NOT_FOUND')
    expect(refused(await service.del(`/users/${member.id}`, asMember), 404).code).toBe('NOT_FOUND')
    const operator = await service.member()
    const asOperator = await service.asUser({ id: operator.id, roles: ['operator'] })
    expect((await service.put(`/users/${operator.id}`, { name: 'Mine' }, asOperator)).status).toBe(200)
    expect(
      refused(await service.put(`/users/${operator.id}`, { roleId: roleIds.admin }, asOperator), 400).message,
    ).toBe('roleId can be changed by an administrator only')
  })

  test('404 for another’s, a deleted and an unknown one, 400 for an id that is not a UUID', async () => {
    const { asManager } = await participant(service)
    const stranger = await service.member()
    const { member: other } = await participant(service)
    for (const { id } of [stranger, other]) {
      expect(refused(await service.put(`/users/${id}`, { name: 'X' }, asManager), 404).code).toBe('NOT_FOUND')
      expect(refused(await service.del(`/users/${id}`, asManager), 404).code).toBe('NOT_FOUND')
    }
    await service.del(`/users/${stranger.id}`)
    expect(refused(await service.put(`/users/${stranger.id}`, { name: 'X' }), 404).code).toBe('NOT_FOUND')
    expect(refused(await service.put(`/users/${nobody}`, { name: 'X' }), 404).code).toBe('NOT_FOUND')
    expect(refused(await service.put('/users/x', { name: 'X' }), 400).message).toBe(uuidExpected)
  })

  test('409 when another user has the address; its own in another case is its own', async () => {
    const [one, other] = [(await invite()).body, (await invite()).body]
    expect(refused(await service.put(`/users/${one.id}`, { email: other.email.toUpperCase() }), 409).code).toBe(
      'CONFLICT',
    )
    expect((await service.put(`/users/${one.id}`, { email: one.email.toUpperCase() })).status).toBe(200)
  })

  test('400 for a role of another scope, another status, and what is no text', async () => {
    const { id } = (await invite()).body
    expect(refused(await service.put(`/users/${id}`, { roleId: roleIds['custodian-user'] }), 400).message).toBe(
      'roleId must be a role of the scope admin',
    )
    expect(refused(await service.put(`/users/${id}`, { status: 'INVITED' }), 400).message).toBe(
      'status must be one of the following values: ACTIVE, DISABLED',
    )
    expect(refused(await service.put(`/users/${id}`, { name: 5, email: {} }), 400).message).toBe(
      'email must be a string; name must be a string',
    )
  })
})

describe('DELETE /users/:userId', () => {
  test('200, and it is found nowhere', async () => {
    const { id, email, password } = await service.member()
    const { status, body } = await service.del(`/users/${id}`)
    expect([status, body]).toEqual([200, { success: true, message: 'User deleted' }])
    expect(refused(await service.del(`/users/${id}`), 404).code).toBe('NOT_FOUND')
    expect((await service.get(`/users/usernames?ids=${id}`)).body.data).toEqual([])
    expect((await service.logIn(email, password)).status).toBe(401)
  })

  test('404 for another’s and for one with more to say, 400 for an id that is not a UUID', async () => {
    const { manager, asMember } = await participant(service)
    expect(refused(await service.del(`/users/${manager.id}`, asMember), 404).code).toBe('NOT_FOUND')
    const stranger = await service.member()
    expect(refused(await service.del(`/users/${stranger.id}`, asMember), 404).code).toBe('NOT_FOUND')
    expect(refused(await service.del('/users/x'), 400).message).toBe(uuidExpected)
  })
})
