import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { newBankWithParticipant, newCustodian } from './bank-records'
import { nobody, openService, refused, type TestMainApi, uuidExpected } from './harness'
import { type Peers, peerFailures, refusal, roles, startPeers } from './stand-ins'

let peers: Peers
let service: TestMainApi
let mine: Record<string, string>
let others: Record<string, string>
beforeAll(async () => {
  peers = startPeers()
  service = await openService({ urls: { 'identity-manager': peers.url } })
  mine = await service.as({ custodianId: await newCustodian(service) })
  others = await service.as({ custodianId: await newCustodian(service) })
})
afterEach(() => peers.fault(null))
afterAll(async () => {
  await service.close()
  await peers.server.stop()
})

let made = 0
const newUser = (fields: object = {}) => ({
  email: `user${++made}@custodian.example`,
  name: 'Noor Adeyemi',
  roleIds: [roles.custodian.id],
  ...fields,
})
const create = (headers = mine) => service.create('/custodian-bank/users', newUser(), headers)

test('the users of a bank: made, listed, read, changed, deleted; those of another bank are not found', async () => {
  const custodianId = await newCustodian(service)
  const mine = await service.as({ custodianId })
  const body = newUser()
  const answer = await service.post('/custodian-bank/users', { ...body, custodianId: nobody }, mine)
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({ email: body.email, custodianId, participantId: null, roles: ['custodian-user'] })
  const foreign = await create(others)
  const { id } = answer.body

  expect((await service.get('/custodian-bank/users', mine)).body).toEqual({
    data: [answer.body],
    pageInfo: { limit: 20, offset: 0, total: 1 },
  })
  expect(await service.get(`/custodian-bank/users/${id}`, mine)).toMatchObject({ status: 200, body: answer.body })
  const changed = await service.put(`/custodian-bank/users/${id}`, { name: 'Noor' }, mine)
  expect([changed.status, changed.body]).toEqual([200, { ...answer.body, name: 'Noor' }])

  const path = `/custodian-bank/users/${foreign.id}`
  const notFound = { code: 'NOT_FOUND', message: 'User not found' }
  expect(refused(await service.get(path, mine), 404)).toEqual(notFound)
  expect(refused(await service.put(path, { name: 'x' }, mine), 404)).toEqual(notFound)
  expect(refused(await service.del(path, mine), 404)).toEqual(notFound)
  expect(peers.users.get(foreign.id)).toEqual(foreign)

  expect((await service.del(`/custodian-bank/users/${id}`, mine)).body).toEqual({
    success: true,
    message: 'User deleted successfully',
  })
  expect(refused(await service.get(`/custodian-bank/users/${id}`, mine), 404)).toEqual(notFound)
})

test('administrators and users of participants are not users of the bank', async () => {
  const admin = await service.create('/admin/users', {
    ...newUser(),
    roleIds: [roles.operator.id],
  })
  expect(refused(await service.get(`/custodian-bank/users/${admin.id}`, mine), 404).code).toBe('NOT_FOUND')
  expect(refused(await service.del(`/custodian-bank/users/${admin.id}`, mine), 404).code).toBe('NOT_FOUND')
})

test('a participant’s custodian bank is that of its account', async () => {
  const bank = await newBankWithParticipant(service)
  const user = await create(bank.asCustodian)
  expect((await service.get('/custodian-bank/users', bank.asParticipant)).body.data).toEqual([user])
})

test('a POST is idempotent by its key; one key at two banks makes two users', async () => {
  const key = { 'idempotency-key': 'c-1' }
  const body = newUser()
  const first = await service.post('/custodian-bank/users', body, { ...mine, ...key })
  const again = await service.post('/custodian-bank/users', body, { ...mine, ...key })
  expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
  const other = await service.as({ subject: 'else', custodianId: await newCustodian(service) })
  const second = await service.post('/custodian-bank/users', newUser(), { ...other, ...key })
  expect(second.body.id).not.toBe(first.body.id)
})

describe('refusals', () => {
  const one = (method: string) => (id: string, body?: object) =>
    service.ask(method, `/custodian-bank/users/${id}`, body, mine)
  test.each([
    ['GET', undefined],
    ['PUT', {}],
    ['DELETE', undefined],
  ])('%s of one: 400 for an id that is not a UUID, 404 for an unknown id', async (method, body) => {
    expect(refused(await one(method)('x', body), 400).message).toBe(uuidExpected)
    expect(refused(await one(method)(nobody, body), 404).message).toBe('User not found')
  })

  test('401 without an identity, 404 for a caller without a bank: nothing is made or changed', async () => {
    const user = await create()
    const admin = await service.as({ roles: ['admin'] })
    const before = peers.users.size
    for (const [headers, status] of [
      [{}, 401],
      [admin, 404],
    ] as const) {
      refused(await service.post('/custodian-bank/users', newUser(), headers), status)
      refused(await service.put(`/custodian-bank/users/${user.id}`, { name: 'x' }, headers), status)
      refused(await service.del(`/custodian-bank/users/${user.id}`, headers), status)
      refused(await service.get(`/custodian-bank/users/${user.id}`, headers), status)
    }
    expect([peers.users.size, peers.users.get(user.id)]).toEqual([before, user])
  })

  test('400 and 409 as the identity manager says', async () => {
    const user = await create()
    const taken = newUser({ email: user.email })
    expect(refused(await service.post('/custodian-bank/users', taken, mine), 409).message).toBe(
      `${user.email} is taken`,
    )
    const wrong = newUser({ roleIds: [nobody] })
    expect(refused(await service.post('/custodian-bank/users', wrong, mine), 400).message).toBe(
      `There is no role ${nobody}`,
    )
    peers.fault((request) => (request.method === 'PUT' ? refusal(409, 'taken') : undefined))
    const path = `/custodian-bank/users/${user.id}`
    expect(refused(await service.put(path, { email: 'a@b.example' }, mine), 409).message).toBe('taken')
    expect(refused(await service.put(path, { status: 'GONE' }, mine), 400).code).toBe('INVALID_REQUEST')
    expect(refused(await service.get('/custodian-bank/users?limit=x', mine), 400).code).toBe('INVALID_REQUEST')
  })

  test.each(peerFailures)('%s', async (_what, answer, status, code) => {
    peers.fault(answer)
    const asks = [
      () => service.get('/custodian-bank/users', mine),
      () => service.get(`/custodian-bank/users/${nobody}`, mine),
      () => service.post('/custodian-bank/users', newUser(), mine),
    ]
    for (const ask of asks) {
      expect(refused(await service.impatiently(ask, status === 504), status).code).toBe(code)
    }
  })
})
