import { describe, expect, test } from 'bun:test'
import { account, customer, expectRising, nobody, notUuid, plain, refused, testParticipants } from './harness'
import { get, participant, peers, service, withPeers } from './peered-service'

withPeers()

describe('GET /participants/:id', () => {
  test('200', async () => {
    const body = await participant({ customers: [customer({ accounts: [account()] })] })
    expect(await service.get(`/participants/${body.id}`)).toMatchObject({ status: 200, body })
  })

  test('400 for an id that is not a UUID, 404 for an unknown id', async () => {
    expect(refused(await service.get('/participants/5'), 400)).toEqual(notUuid)
    expect(refused(await service.get(`/participants/${nobody}`), 404)).toEqual({
      code: 'NOT_FOUND',
      message: 'Participant not found',
    })
  })
})

describe('PATCH /participants/:id', () => {
  test('200 with the given fields changed', async () => {
    const before = await participant({ routerData: { a: 1 }, customers: [customer()] })
    for (const changes of [{ institutionName: 'Second Bank' }, { routerData: { b: 2 } }, { routerData: null }]) {
      const { status, body } = await service.patch(`/participants/${before.id}`, changes)
      expect(status).toBe(200)
      expect(body).toMatchObject(changes)
      expect(body.customers).toEqual(before.customers)
      expect(await get(before.id)).toEqual(body)
    }
    expect((await get(before.id)).updatedAt >= before.updatedAt).toBe(true)
  })

  test('200 without fields changes nothing', async () => {
    const before = await participant()
    expect(await service.patch(`/participants/${before.id}`, {})).toMatchObject({ status: 200, body: before })
    expect(await service.patch(`/participants/${before.id}`, { other: 1 })).toMatchObject({ status: 200, body: before })
  })

  test('200 with another key: the old one is reserved while it is valid', async () => {
    const before = await participant()
    const { authConsumerId } = plain()
    expect((await service.patch(`/participants/${before.id}`, { authConsumerId })).body.authConsumerId).toBe(
      authConsumerId,
    )
    const taken = await service.post('/participants', plain({ authConsumerId: before.authConsumerId }))
    expect(refused(taken, 409).message).toBe('Another participant has this authConsumerId')
  })

  test('200 with the key as it was answered, in full or masked: it is unchanged', async () => {
    const before = await participant()
    for (const authConsumerId of [before.authConsumerId, '********']) {
      expect((await service.patch(`/participants/${before.id}`, { authConsumerId })).body.authConsumerId).toBe(
        before.authConsumerId,
      )
    }
  })

  test('customers: new ones are created, existing ones get their status, others leave', async () => {
    const [a, b, c] = [customer({ accounts: [account(), account({ name: 'Second' })] }), customer(), customer()]
    const before = await participant({ customers: [a, b] })
    const accounts = [account({ status: 'suspended' }), account({ name: 'Third' })]
    const { body } = await service.patch(`/participants/${before.id}`, {
      customers: [c, { ...a, status: 'inactive', accounts }],
    })
    expect(body.customers.map(({ externalId }: { externalId: string }) => externalId)).toEqual([
      c.externalId,
      a.externalId,
    ])
    const [oldA, newA] = [before.customers[0], body.customers[1]]
    expect([newA.id, newA.status]).toEqual([oldA.id, 'inactive'])
    expect(newA.accounts.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
      ['Main', 'suspended'],
      ['Second', 'active'],
      ['Third', 'active'],
    ])
    expect(peers.customers.get(oldA.id)?.status).toBe('inactive')
    expect(peers.accounts.get(oldA.accounts[0].id)?.status).toBe('suspended')
    expect(await get(before.id)).toEqual(body)
    // One that left may come back.
    const back = await service.patch(`/participants/${before.id}`, { customers: [b] })
    expect(back.body.customers).toEqual([before.customers[1]])
  })

  test('publishes an event with a higher version for each change', async () => {
    const { id } = await participant()
    await service.patch(`/participants/${id}`, { institutionName: 'Second Bank' })
    await service.patch(`/participants/${id}`, {})
    await service.patch(`/participants/${id}`, { customers: [customer()] })
    const events = await service.eventsOf(id)
    const own = { id, omnibusAccountId: null, feePayerAccountId: null, deletedAt: null }
    expect(events).toMatchObject([
      { type: 'PARTICIPANT_CREATED', data: { ...own, institutionName: 'First Bank' } },
      { type: 'PARTICIPANT_UPDATED', data: { ...own, institutionName: 'Second Bank' } },
      { type: 'PARTICIPANT_UPDATED', data: { ...own, institutionName: 'Second Bank' } },
    ])
    expectRising(events)
  })

  test('400 for fields that are wrong', async () => {
    const { id } = await participant()
    const wrong = { institutionName: '', routerData: 5, authConsumerId: 5, customers: null }
    expect(refused(await service.patch(`/participants/${id}`, wrong), 400).message.split('; ')).toEqual([
      'institutionName should not be empty',
      'routerData must be an object',
      'authConsumerId must be a string',
      'customers must be an array',
    ])
    const same = customer()
    expect(refused(await service.patch(`/participants/${id}`, { customers: [same, same] }), 400).message).toBe(
      'customers.1.externalId is given twice',
    )
  })

  test('409 for a key, or an externalId, of another participant', async () => {
    const taken = customer()
    const other = await participant({ customers: [taken] })
    const { id } = await participant()
    expect(
      refused(await service.patch(`/participants/${id}`, { authConsumerId: other.authConsumerId }), 409).message,
    ).toBe('Another participant has this authConsumerId')
    expect(refused(await service.patch(`/participants/${id}`, { customers: [taken] }), 409).message).toBe(
      `A customer with externalId ${taken.externalId} already exists`,
    )
  })

  test('400 for an id that is not a UUID, 404 for an unknown id', async () => {
    expect(refused(await service.patch('/participants/x', {}), 400)).toEqual(notUuid)
    expect(refused(await service.patch(`/participants/${nobody}`, { institutionName: 'X' }), 404).code).toBe(
      'NOT_FOUND',
    )
    expect(refused(await service.patch(`/participants/${nobody}`, {}), 404).code).toBe('NOT_FOUND')
  })
})

describe('PUT /participants/:id', () => {
  test('200 with everything replaced', async () => {
    const before = await participant({ routerData: { a: 1 }, customers: [customer()] })
    const whole = plain({ institutionName: 'Second Bank', routerData: { b: 2 }, customers: [customer()] })
    const { status, body } = await service.put(`/participants/${before.id}`, whole)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...whole, id: before.id, createdAt: before.createdAt })
    expect(await get(before.id)).toEqual(body)
  })

  test('200 with the record as it was read: only its time changes', async () => {
    const before = await participant({ routerData: { a: 1 }, customers: [customer({ accounts: [account()] })] })
    const { status, body } = await service.put(`/participants/${before.id}`, before)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, updatedAt: body.updatedAt })
  })

  test('400 names the missing fields: all are required', async () => {
    const { id } = await participant()
    expect(refused(await service.put(`/participants/${id}`, {}), 400).message.split('; ')).toEqual([
      'institutionName should not be empty',
      'routerData must be an object',
      'authConsumerId should not be empty',
      'customers must be an array',
    ])
    expect(refused(await service.put(`/participants/${id}`, plain()), 400).message).toBe('routerData must be an object')
  })

  test('409 for a key of another participant', async () => {
    const { authConsumerId } = await participant()
    const { id } = await participant()
    expect(refused(await service.put(`/participants/${id}`, plain({ authConsumerId, routerData: {} })), 409).code).toBe(
      'CONFLICT',
    )
  })

  test('400 for an id that is not a UUID, 404 for an unknown id', async () => {
    const whole = plain({ routerData: {} })
    expect(refused(await service.put('/participants/x', whole), 400)).toEqual(notUuid)
    expect(refused(await service.put(`/participants/${nobody}`, whole), 404).code).toBe('NOT_FOUND')
  })
})

describe('DELETE /participants/:id', () => {
  test('204; afterwards it is 404, and its key is free', async () => {
    const { id, authConsumerId, customers } = await participant({ customers: [customer()] })
    const { status, body } = await service.del(`/participants/${id}`)
    expect([status, body]).toEqual([204, undefined])
    expect(refused(await service.get(`/participants/${id}`), 404).code).toBe('NOT_FOUND')
    expect(refused(await service.patch(`/participants/${id}`, { institutionName: 'X' }), 404).code).toBe('NOT_FOUND')
    expect(refused(await service.del(`/participants/${id}`), 404).code).toBe('NOT_FOUND')
    const { body: all } = await service.get('/participants?limit=100')
    expect(all.map((each: { id: string }) => each.id)).not.toContain(id)
    expect(peers.customers.get(customers[0].id)?.status).toBe('active')
    expect((await participant({ authConsumerId })).id).not.toBe(id)
  })

  test('publishes an event', async () => {
    const { id } = await participant()
    await service.del(`/participants/${id}`)
    const events = await service.eventsOf(id)
    expect(events.at(-1)).toMatchObject({ type: 'PARTICIPANT_DELETED', data: { id, deletedAt: expect.any(String) } })
    expectRising(events)
  })

  test('400 for an id that is not a UUID, 404 for an unknown id', async () => {
    expect(refused(await service.del('/participants/x'), 400)).toEqual(notUuid)
    expect(refused(await service.del(`/participants/${nobody}`), 404).code).toBe('NOT_FOUND')
  })
})

describe('the key of a participant', () => {
  test('is answered in full to itself, administrators, services and whoever sets it; masked to others', async () => {
    const { id, authConsumerId } = await participant({ institutionName: 'Keyed' })
    const seen = async (caller: object) => {
      const headers = await service.as(caller)
      const [listed] = (await service.get('/participants?institutionName=keyed', headers)).body
      const { body } = await service.get(`/participants/${id}`, headers)
      expect(listed.authConsumerId).toBe(body.authConsumerId)
      return body.authConsumerId
    }
    const mask = '********'
    expect(await seen({ kind: 'participant', subject: id, participantId: id })).toBe(authConsumerId)
    expect(await seen({ roles: ['admin'] })).toBe(authConsumerId)
    expect(await seen({ kind: 'service', subject: 'wallet' })).toBe(authConsumerId)
    expect(await seen({ roles: ['viewer'] })).toBe(mask)
    expect(await seen({ roles: ['participant-admin'], participantId: id })).toBe(authConsumerId)
    expect(await seen({ roles: ['participant-user'], participantId: id })).toBe(mask)
    expect(await seen({ kind: 'participant', subject: nobody, participantId: nobody })).toBe(mask)
    const viewer = await service.as({ roles: ['viewer'] })
    expect(
      (await service.patch(`/participants/${id}`, { institutionName: 'Keyed 2' }, viewer)).body.authConsumerId,
    ).toBe(mask)
    expect(
      (await service.patch(`/participants/${id}`, { authConsumerId: 'new key' }, viewer)).body.authConsumerId,
    ).toBe('new key')
    const set = plain()
    expect((await service.post('/participants', set, viewer)).body.authConsumerId).toBe(set.authConsumerId)
  })
})

describe('GET /health', () => {
  test('200', async () => {
    expect(await service.get('/health')).toMatchObject({ status: 200, body: { status: 'ok', service: 'participant' } })
  })

  test('503 when the database cannot be used', async () => {
    const closed = await testParticipants()
    await closed.close()
    expect(await closed.get('/health')).toMatchObject({
      status: 503,
      body: { status: 'error', service: 'participant' },
    })
  })
})
