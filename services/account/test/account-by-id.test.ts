import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, notUuid, refused, type TestAccounts, testAccounts } from './harness'

const statuses = ['active', 'inactive', 'deleted', 'suspended']

let service: TestAccounts
beforeAll(async () => {
  service = await testAccounts()
})
afterAll(() => service.close())

const account = async (fields: object = {}) => {
  const answer = await service.post('/accounts', {
    type: 'STABLECOINS',
    status: 'active',
    name: 'An account',
    ...fields,
  })
  expect(answer.status).toBe(201)
  return answer.body
}

describe('GET /accounts/:id', () => {
  test('200, whatever its status', async () => {
    const body = await account({ status: 'deleted' })
    expect(await service.get(`/accounts/${body.id}`)).toMatchObject({ status: 200, body })
  })

  test('400 for what is no UUID, 404 for one that nobody has', async () => {
    expect(refused(await service.get('/accounts/5'), 400)).toEqual(notUuid)
    expect(refused(await service.get(`/accounts/${nobody}`), 404)).toEqual({
      code: 'NOT_FOUND',
      message: 'Account not found',
    })
  })
})

describe('PUT /accounts/:id', () => {
  test('200: any status may follow any other', async () => {
    const body = await account()
    for (const status of [...statuses, ...statuses.toReversed()]) {
      expect(await service.put(`/accounts/${body.id}`, { status })).toMatchObject({
        status: 200,
        body: { ...body, status },
      })
    }
  })

  test('is announced with a version that counts; the same status again is no change', async () => {
    const body = await account()
    await service.put(`/accounts/${body.id}`, { status: 'suspended' })
    await service.put(`/accounts/${body.id}`, { status: 'suspended' })
    await service.put(`/accounts/${body.id}`, { status: 'active' })
    const events = await service.eventsOf(body.id)
    expect(events.map(({ name, data }) => [name, data])).toEqual([
      ['account.account.created', { account: body, participantId: null, version: 1 }],
      ['account.account.updated', { account: { ...body, status: 'suspended' }, participantId: null, version: 2 }],
      ['account.account.updated', { account: body, participantId: null, version: 3 }],
    ])
  })

  test('400 for a status that there is not, or none', async () => {
    const { id } = await account()
    const message = 'status must be one of the following values: active, inactive, deleted, suspended'
    expect(refused(await service.put(`/accounts/${id}`, { status: 'closed' }), 400).message).toBe(message)
    expect(refused(await service.put(`/accounts/${id}`, { name: 'Other' }), 400).message).toBe(message)
  })

  test('400 for what is no UUID, 404 for one that nobody has', async () => {
    expect(refused(await service.put('/accounts/x', { status: 'active' }), 400)).toEqual(notUuid)
    expect(refused(await service.put(`/accounts/${nobody}`, { status: 'active' }), 404).code).toBe('NOT_FOUND')
  })
})

describe('DELETE /accounts/:id', () => {
  test.each(['an id', nobody, 'malformed', 'omnibus'])('405 for %s', async (id) => {
    const answer = await service.ask('DELETE', `/accounts/${id === 'an id' ? (await account()).id : id}`)
    expect(refused(answer, 405).code).toBe('METHOD_NOT_ALLOWED')
    expect(answer.headers.get('allow')).toBe('GET, HEAD, PUT')
  })
})

describe('GET /internal/accounts/:id', () => {
  test('200 with its version, for another service', async () => {
    const body = await account()
    await service.put(`/accounts/${body.id}`, { status: 'inactive' })
    const answer = await service.get(`/internal/accounts/${body.id}`, await service.asService('core-ledger'))
    const state = { account: { ...body, status: 'inactive' }, participantId: null, version: 2 }
    expect([answer.status, answer.body]).toEqual([200, state])
  })

  test('404 for one that nobody has, 401 for anybody else', async () => {
    const headers = await service.asService('core-ledger')
    expect(refused(await service.get(`/internal/accounts/${nobody}`, headers), 404).code).toBe('NOT_FOUND')
    const participant = await service.asParticipant(nobody)
    expect(refused(await service.get(`/internal/accounts/${nobody}`), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await service.get(`/internal/accounts/${nobody}`, participant), 401).code).toBe('UNAUTHORIZED')
  })
})
