import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, openService, refused, type TestMainApi, uuidExpected } from './harness'
import { type Peers, peerFailures, refusal, roles, startPeers } from './stand-ins'

let peers: Peers
let service: TestMainApi
beforeAll(async () => {
  peers = startPeers()
  service = await openService({ urls: { 'identity-manager': peers.url } })
})
afterEach(() => peers.fault(null))
afterAll(async () => {
  await service.close()
  await peers.server.stop()
})

let made = 0
const newUser = (fields: object = {}) => ({
  email: `user${++made}@bursar.example`,
  name: 'Vera Lindt',
  roleIds: [roles.operator.id],
  ...fields,
})

describe('GET /admin/users', () => {
  test('200 with a page, twenty by default', async () => {
    const few = startPeers()
    const alone = await openService({ urls: { 'identity-manager': few.url } })
    const users = []
    for (let i = 0; i < 23; i++) users.push(await alone.create('/admin/users', newUser()))
    const { status, body } = await alone.get('/admin/users')
    expect([status, body]).toEqual([200, { data: users.slice(0, 20), pageInfo: { limit: 20, offset: 0, total: 23 } }])
    expect((await alone.get('/admin/users?limit=2&offset=21')).body).toEqual({
      data: users.slice(21),
      pageInfo: { limit: 2, offset: 21, total: 23 },
    })
    expect((await alone.get('/admin/users?limit=0')).body.data).toEqual([])
    await alone.close()
    await few.server.stop()
  })

  test.each([
    ['limit=101', 'limit must not be greater than 100'],
    ['limit=-1', 'limit must not be less than 0'],
    ['limit=x', 'limit must be an integer'],
    ['offset=', 'offset must be an integer'],
    ['offset=100001', 'offset must not be greater than 100000: narrow the list by its filters'],
    ['limit=1&limit=2', 'limit must be given once'],
  ])('400 for %s', async (query, message) => {
    expect(refused(await service.get(`/admin/users?${query}`), 400).message).toBe(message)
  })
})

describe('POST /admin/users', () => {
  test('201 with the user, who belongs to no participant and no custodian bank', async () => {
    const body = newUser()
    const answer = await service.post('/admin/users', { ...body, participantId: nobody, custodianId: nobody })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: answer.body.id,
      email: body.email,
      name: 'Vera Lindt',
      status: 'INVITED',
      roles: ['operator'],
      participantId: null,
      custodianId: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    })
    expect(peers.sent('POST', '/internal/users').at(-1)?.body).toEqual({
      ...body,
      participantId: null,
      custodianId: null,
    })
  })

  test('400 names every field that is missing or wrong', async () => {
    const { code, details } = refused(await service.post('/admin/users', { roleIds: ['x'] }), 400)
    expect(code).toBe('INVALID_REQUEST')
    expect(details).toEqual([
      { field: 'email', message: 'email should not be empty' },
      { field: 'name', message: 'name should not be empty' },
      { field: 'roleIds.0', message: 'roleIds.0 must be a UUID' },
    ])
    const wrong = { email: 'x', name: '', roleIds: ['x'] }
    for (const answer of [
      await service.post('/admin/users', wrong),
      await service.put(`/admin/users/${nobody}`, wrong),
    ]) {
      expect(refused(answer, 400).details).toEqual([
        { field: 'email', message: 'email must be an e-mail address' },
        { field: 'name', message: 'name should not be empty' },
        { field: 'roleIds.0', message: 'roleIds.0 must be a UUID' },
      ])
    }
    expect(refused(await service.post('/admin/users', newUser({ roleIds: [] })), 400).message).toContain('roleIds')
    const { id } = roles.operator
    expect(refused(await service.post('/admin/users', newUser({ roleIds: [id, id] })), 400).message).toBe(
      'roleIds must not have equal items',
    )
    expect(refused(await service.post('/admin/users', newUser({ name: 'a\nb' })), 400).message).toBe(
      'name must not hold control characters',
    )
  })

  test('400 and 409 in the identity manager’s own words', async () => {
    const taken = newUser()
    await service.create('/admin/users', taken)
    expect(refused(await service.post('/admin/users', taken), 409)).toEqual({
      code: 'CONFLICT',
      message: `${taken.email} is taken`,
    })
    expect(refused(await service.post('/admin/users', newUser({ roleIds: [nobody] })), 400)).toEqual({
      code: 'INVALID_REQUEST',
      message: `There is no role ${nobody}`,
    })
  })

  test('400 with the fields that the identity manager names', async () => {
    const message = 'roleIds must be roles of the scope admin'
    const details = [{ field: 'roleIds', message }]
    peers.fault(() => Response.json({ error: { code: 'INVALID_REQUEST', message, details } }, { status: 400 }))
    expect(refused(await service.post('/admin/users', newUser()), 400)).toEqual({
      code: 'INVALID_REQUEST',
      message,
      details,
    })
    for (const strange of [{ field: 'x' }, 5, [], [{ field: 1, message: 2 }]]) {
      peers.fault(() => Response.json({ error: { code: 'X', message, details: strange } }, { status: 400 }))
      expect(refused(await service.post('/admin/users', newUser()), 400)).toEqual({ code: 'INVALID_REQUEST', message })
    }
  })

  test('a repeat with its key makes no second user; with another body it is refused', async () => {
    const body = newUser()
    const key = { 'idempotency-key': 'u-1' }
    const first = await service.post('/admin/users', body, key)
    const again = await service.post('/admin/users', body, key)
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
    expect(refused(await service.post('/admin/users', { ...body, name: 'Other' }, key), 422).code).toBe('UNPROCESSABLE')
  })

  test('passes its key on, made unique for each caller', async () => {
    const body = newUser()
    const key = { 'idempotency-key': 'u-2' }
    const vera = { ...(await service.as({ subject: 'vera' })), ...key }
    const noor = { ...(await service.as({ subject: 'noor' })), ...key }
    await service.create('/admin/users', body, vera)
    await service.create('/admin/users', newUser(), noor)
    await service.create('/admin/users', newUser())
    const keys = peers.sent('POST', '/internal/users').map(({ headers }) => headers.get('idempotency-key'))
    const [veras, noors, none] = keys.slice(-3)
    expect([veras, noors].map((each) => /^[0-9a-f]{64}$/.test(each ?? ''))).toEqual([true, true])
    expect(veras).not.toBe(noors)
    expect(none).toBeNull()
  })

  test('a repeat after a lost answer finds the user', async () => {
    const body = newUser()
    const key = { 'idempotency-key': 'u-3' }
    let isLost = false
    peers.fault(async (request) => {
      const { url, method, headers } = request
      const text = await request.clone().text()
      // A request of another test, which was not waited for, may come late.
      if (isLost || !text.includes(body.email)) return undefined
      isLost = true
      // Carried out under the same key, but nothing of it comes back.
      await fetch(url, { method, headers, body: text })
      return refusal(500)
    })
    expect((await service.post('/admin/users', body, key)).status).toBe(502)
    const made = [...peers.users.values()].find(({ email }) => email === body.email)
    expect(await service.create('/admin/users', body, key)).toEqual(made)
  })
})

describe('PUT /admin/users/:userId', () => {
  test('200 with the user, the given fields changed', async () => {
    const user = await service.create('/admin/users', newUser())
    const answer = await service.put(`/admin/users/${user.id}`, { name: 'Noor', status: 'DISABLED', id: nobody })
    expect([answer.status, answer.body]).toEqual([200, { ...user, name: 'Noor', status: 'DISABLED' }])
  })

  test('400 for an unknown status and for an id that is not a UUID', async () => {
    const { id } = await service.create('/admin/users', newUser())
    expect(refused(await service.put(`/admin/users/${id}`, { status: 'INVITED' }), 400).message).toBe(
      'status must be one of the following values: ACTIVE, DISABLED',
    )
    expect(refused(await service.put('/admin/users/x', {}), 400).message).toBe(uuidExpected)
  })

  test('404 for an unknown user, 409 in the identity manager’s words', async () => {
    expect(refused(await service.put(`/admin/users/${nobody}`, { name: 'x' }), 404)).toEqual({
      code: 'NOT_FOUND',
      message: 'There is no such user',
    })
    const { id } = await service.create('/admin/users', newUser())
    peers.fault(() => refusal(409, 'It is the last administrator'))
    expect(refused(await service.put(`/admin/users/${id}`, { status: 'DISABLED' }), 409)).toEqual({
      code: 'CONFLICT',
      message: 'It is the last administrator',
    })
  })

  test('429 when its address has got too many mails, in the identity manager’s words', async () => {
    const { id } = await service.create('/admin/users', newUser())
    peers.fault(() => refusal(429, 'Too many attempts; wait before the next one'))
    const email = 'another@harbour.example'
    expect(refused(await service.put(`/admin/users/${id}`, { email }), 429)).toEqual({
      code: 'RATE_LIMITED',
      message: 'Too many attempts; wait before the next one',
    })
  })
})

describe('DELETE /admin/users/:userId', () => {
  test('200, and then 404', async () => {
    const { id } = await service.create('/admin/users', newUser())
    const answer = await service.del(`/admin/users/${id}`)
    expect([answer.status, answer.body]).toEqual([200, { success: true, message: 'User deleted successfully' }])
    expect(refused(await service.del(`/admin/users/${id}`), 404).code).toBe('NOT_FOUND')
  })

  test('400 for an id that is not a UUID, 409 for the last administrator', async () => {
    expect(refused(await service.del('/admin/users/5'), 400).message).toBe(uuidExpected)
    const { id } = await service.create('/admin/users', newUser())
    peers.fault(() => refusal(409, 'It is the last administrator'))
    expect(refused(await service.del(`/admin/users/${id}`), 409).message).toBe('It is the last administrator')
  })
})

describe('GET /admin/roles', () => {
  test('200 with all roles', async () => {
    expect(await service.get('/admin/roles')).toMatchObject({ status: 200, body: { data: Object.values(roles) } })
  })
})

describe('the identity manager', () => {
  const asks: [string, () => ReturnType<TestMainApi['get']>][] = [
    ['GET /admin/users', () => service.get('/admin/users')],
    ['POST /admin/users', () => service.post('/admin/users', newUser())],
    ['PUT /admin/users/:userId', () => service.put(`/admin/users/${nobody}`, { name: 'x' })],
    ['DELETE /admin/users/:userId', () => service.del(`/admin/users/${nobody}`)],
    ['GET /admin/roles', () => service.get('/admin/roles')],
  ]
  describe.each(peerFailures)('%s', (_what, answer, status, code) => {
    test.each(asks)('%s', async (_route, ask) => {
      peers.fault(answer)
      expect(refused(await service.impatiently(ask, status === 504), status).code).toBe(code)
    })
  })

  test('503 when it cannot be reached', async () => {
    const alone = await openService()
    expect(refused(await alone.get('/admin/users'), 503)).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The identity-manager service cannot be reached',
    })
    expect(refused(await alone.post('/admin/users', newUser()), 503).code).toBe('SERVICE_UNAVAILABLE')
    await alone.close()
  })
})
