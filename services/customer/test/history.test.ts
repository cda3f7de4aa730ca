import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reasonOf } from '@bursar/testing/service'
import { statusChanges } from '../src/customers/customers.table'
import { nobody, notUuid, refused, type TestCustomers, testCustomers } from './harness'

let service: TestCustomers
beforeAll(async () => {
  service = await testCustomers()
})
afterAll(() => service.close())

describe('GET /customers/:id/history', () => {
  test('200 with each change, who made it and why; the history cannot be changed', async () => {
    const { id } = await service.create('/customers', { externalId: 'for-history', status: 'active' })
    const change = { status: 'suspended', statusReason: 'On the list of 9 March' }
    await service.put(`/customers/${id}`, change, await service.as({ kind: 'user', subject: nobody }))
    await service.put(`/customers/${id}`, { ...change, statusReason: 'Again' })
    await service.put(`/customers/${id}`, { status: 'active' })
    const history = (await service.get(`/customers/${id}/history`)).body
    const [created, ...updated] = await service.eventsOf(id)
    const times = updated.map(({ timestamp }) => timestamp)
    expect(history).toEqual([
      {
        field: 'status',
        from: 'active',
        to: 'suspended',
        reason: 'On the list of 9 March',
        actor: { kind: 'user', id: nobody },
        at: times[0],
      },
      { field: 'status', from: 'suspended', to: 'active', reason: null, actor: null, at: times[1] },
    ])
    expect(
      [created, ...updated].map((event) => (event?.data as { statusChange?: object } | undefined)?.statusChange),
    ).toEqual([undefined, ...history])
    const { store } = service
    const rewrite = store.commit(async (tx) => await tx.update(statusChanges).set({ reason: 'Other' }))
    expect(await reasonOf(rewrite)).toContain('append-only')
    expect(await reasonOf(store.commit(async (tx) => await tx.delete(statusChanges)))).toContain('append-only')
  })

  test('400 for an invalid reason, and for an id that is not a UUID; 404 for an unknown id', async () => {
    const { id } = await service.create('/customers', { externalId: 'without-reason', status: 'active' })
    const answer = await service.put(`/customers/${id}`, { status: 'suspended', statusReason: '' })
    expect(refused(answer, 400).message).toBe('statusReason should not be empty')
    expect(refused(await service.get('/customers/x/history'), 400)).toEqual(notUuid)
    expect(refused(await service.get(`/customers/${nobody}/history`), 404).code).toBe('NOT_FOUND')
  })
})
