import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reasonOf } from '@bursar/testing/service'
import { statusChanges } from '../src/accounts/accounts.table'
import { nobody, notUuid, refused, type TestAccounts, testAccounts } from './harness'

let service: TestAccounts
beforeAll(async () => {
  service = await testAccounts()
})
afterAll(() => service.close())

const account = () => service.create('/accounts', { type: 'STABLECOINS', status: 'active', name: 'An account' })
const historyOf = async (id: string) => (await service.get(`/accounts/${id}/history`)).body
const userId = '01900000-0000-7000-8000-0000000000aa'

describe('GET /accounts/:id/history', () => {
  test('200 with each change, who made it and why, oldest first; the event carries the same', async () => {
    const { id } = await account()
    expect(await historyOf(id)).toEqual([])
    const change = { status: 'suspended', statusReason: 'A court order of 9 March' }
    await service.put(`/accounts/${id}`, change, await service.as({ kind: 'user', subject: userId }))
    await service.put(`/accounts/${id}`, { status: 'active' })
    const history = await historyOf(id)
    const events = await service.eventsOf(id)
    expect(history).toEqual([
      {
        field: 'status',
        from: 'active',
        to: 'suspended',
        reason: 'A court order of 9 March',
        actor: { kind: 'user', id: userId },
        at: history[0].at,
      },
      { field: 'status', from: 'suspended', to: 'active', reason: null, actor: null, at: history[1].at },
    ])
    expect(history.map(({ at }: { at: string }) => at)).toEqual(events.slice(1).map(({ timestamp }) => timestamp))
    const told = events.map(({ data }) => (data as { statusChange?: object }).statusChange)
    expect(told).toEqual([undefined, ...history])
  })

  test('the same status again is no change, whatever its reason', async () => {
    const { id } = await account()
    await service.put(`/accounts/${id}`, { status: 'active', statusReason: 'Again' })
    expect(await historyOf(id)).toEqual([])
  })

  test('a service and an API key are named; an anonymous caller is not', async () => {
    const { id } = await account()
    await service.put(`/accounts/${id}`, { status: 'inactive' }, await service.asService('participant'))
    await service.put(`/accounts/${id}`, { status: 'deleted' }, await service.asParticipant(nobody))
    await service.put(`/accounts/${id}`, { status: 'active' }, await service.as({ kind: 'anonymous' }))
    expect((await historyOf(id)).map(({ actor }: { actor: object | null }) => actor)).toEqual([
      { kind: 'service', id: 'participant' },
      { kind: 'participant', id: nobody },
      null,
    ])
  })

  test.each(['', 'x'.repeat(1001), 'two\nlines', 7, null])(
    '400 for the reason %j, and nothing changes',
    async (statusReason) => {
      const { id } = await account()
      const answer = await service.put(`/accounts/${id}`, { status: 'suspended', statusReason })
      expect(refused(answer, 400).message).toStartWith('statusReason ')
      expect([(await service.get(`/accounts/${id}`)).body.status, await historyOf(id)]).toEqual(['active', []])
    },
  )

  test('400 for an id that is not a UUID, 404 for an unknown id', async () => {
    expect(refused(await service.get('/accounts/x/history'), 400)).toEqual(notUuid)
    expect(refused(await service.get(`/accounts/${nobody}/history`), 404).code).toBe('NOT_FOUND')
  })

  test('cannot be changed', async () => {
    const { id } = await account()
    await service.put(`/accounts/${id}`, { status: 'suspended' })
    const before = await historyOf(id)
    const { store } = service
    const rewrite = store.commit(async (tx) => await tx.update(statusChanges).set({ reason: 'Other' }))
    expect(await reasonOf(rewrite)).toContain('append-only')
    expect(await reasonOf(store.commit(async (tx) => await tx.delete(statusChanges)))).toContain('append-only')
    expect(await historyOf(id)).toEqual(before)
  })
})
