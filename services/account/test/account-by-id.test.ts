import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AccountState } from '@bursar/contracts/account'
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

  test('400 for an id that is not a UUID, 404 for an unknown id', async () => {
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

  test('publishes an event with a higher version for each change; the same status again is no change', async () => {
    const body = await account()
    await service.put(`/accounts/${body.id}`, { status: 'suspended' })
    await service.put(`/accounts/${body.id}`, { status: 'suspended' })
    await service.put(`/accounts/${body.id}`, { status: 'active' })
    const events = await service.eventsOf(body.id)
    expect(events.map(({ name, data }) => [name, (data as AccountState).account])).toEqual([
      ['account.account.created', body],
      ['account.account.updated', { ...body, status: 'suspended' }],
      ['account.account.updated', body],
    ])
    const marks = events.map(({ data }) => data as AccountState)
    expect(marks.map(({ participantId }) => participantId)).toEqual([null, null, null])
    expect(new Set(marks.map(({ epoch }) => epoch)).size).toBe(1)
    const versions = marks.map(({ version }) => version)
    expect(versions).toEqual([...new Set(versions)].sort((x, y) => x - y))
  })

  test('400 for an unknown or missing status', async () => {
    const { id } = await account()
    const message = 'status must be one of the following values: active, inactive, deleted, suspended'
    expect(refused(await service.put(`/accounts/${id}`, { status: 'closed' }), 400).message).toBe(message)
    expect(refused(await service.put(`/accounts/${id}`, { name: 'Other' }), 400).message).toBe(message)
  })

  test('400 for an id that is not a UUID, 404 for an unknown id', async () => {
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
  test('200 with the mark of its last state, for another service', async () => {
    const { id } = await account()
    await service.put(`/accounts/${id}`, { status: 'inactive' })
    const answer = await service.get(`/internal/accounts/${id}`, await service.asService('core-ledger'))
    const [, updated] = await service.eventsOf(id)
    const statusChange = expect.objectContaining({ from: 'active', to: 'inactive' })
    expect([answer.status, { ...answer.body, statusChange }]).toEqual([200, updated?.data])
  })

  test('404 for an unknown id, 401 for other callers', async () => {
    const headers = await service.asService('core-ledger')
    expect(refused(await service.get(`/internal/accounts/${nobody}`, headers), 404).code).toBe('NOT_FOUND')
    const participant = await service.asParticipant(nobody)
    expect(refused(await service.get(`/internal/accounts/${nobody}`), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await service.get(`/internal/accounts/${nobody}`, participant), 401).code).toBe('UNAUTHORIZED')
  })
})

describe('GET /internal/accounts/changes', () => {
  test('200 with each account once, in the order of its last change', async () => {
    const own = await testAccounts()
    const add = (name: string) => own.create('/accounts', { type: 'STABLECOINS', status: 'active', name })
    const changes = async (after: number) => {
      const { status, body } = await own.get(
        `/internal/accounts/changes?after=${after}`,
        await own.asService('customer'),
      )
      expect(status).toBe(200)
      return body
    }
    const [a, b, c] = [await add('a'), await add('b'), await add('c')]
    await own.put(`/accounts/${a.id}`, { status: 'suspended' })
    const { epoch, items, more } = await changes(0)
    const records = [b, c, { ...a, status: 'suspended' }].map((each) => ({ account: each, participantId: null }))
    expect([items.map(({ record }: { record: object }) => record), more]).toEqual([records, false])
    expect((await changes(items[0].version)).items).toEqual(items.slice(1))
    const [event] = await own.eventsOf(b.id)
    expect(event?.data).toEqual({ ...records[0], epoch, version: items[0].version })
    await own.close()
  })

  test('200 with the participant of an omnibus account', async () => {
    const own = await testAccounts()
    const { body } = await own.get('/accounts/omnibus', await own.asParticipant(nobody))
    const changes = await own.get('/internal/accounts/changes', await own.asService('participant'))
    expect(changes.body.items[0].record).toEqual({ account: body, participantId: nobody })
    await own.close()
  })

  test('400 for an invalid version, 401 for other callers', async () => {
    const headers = await service.asService('customer')
    expect(refused(await service.get('/internal/accounts/changes?after=-1', headers), 400).code).toBe('INVALID_REQUEST')
    expect(refused(await service.get('/internal/accounts/changes'), 401).code).toBe('UNAUTHORIZED')
  })
})

describe('GET /health', () => {
  test('200', async () => {
    expect(await service.get('/health')).toMatchObject({ status: 200, body: { status: 'ok', service: 'account' } })
  })

  test('503 when the database cannot be used', async () => {
    const closed = await testAccounts()
    await closed.close()
    expect(await closed.get('/health')).toMatchObject({ status: 503, body: { status: 'error', service: 'account' } })
  })
})
