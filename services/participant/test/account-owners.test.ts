// The participant of an account, for the gateway: found by the account alone, however many its participant has.
import { describe, expect, test } from 'bun:test'
import { AccountCreated } from '@bursar/contracts/account'
import { account, customer, notUuid, plain, refused } from './harness'
import { peers, service, withPeers } from './peered-service'
import { epoch, refusal } from './peers'

withPeers()

const of = async (path: string) =>
  await service.get(`/internal/account-owners/${path}`, await service.asService('gateway'))
const ofMany = async (items: readonly string[]) =>
  await service.post('/internal/account-owners/states', { items }, await service.asService('gateway'))

const made = (fields: object = {}) => ({
  ...account(),
  id: Bun.randomUUIDv7(),
  customerId: null,
  customerExternalId: null,
  walletAccountId: null,
  accountExternalId: null,
  customerName: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...fields,
})
const hear = (record: object, participantId: string | null) =>
  service.consume({
    id: Bun.randomUUIDv7(),
    name: AccountCreated.name,
    type: AccountCreated.type,
    timestamp: '2026-01-01T00:00:00.000Z',
    requestId: null,
    service: 'account',
    data: { account: record, participantId, epoch, version: 900 },
  })

describe('the participant of an account', () => {
  test('is that of its customer, or its own', async () => {
    const { id, customers } = await service.create(
      '/participants',
      plain({ customers: [customer({ accounts: [account()] })] }),
    )
    const omnibus = made({ type: 'OMNIBUS' })
    await hear(omnibus, id)
    const nobodys = made()
    await hear(nobodys, null)
    const ids: string[] = [customers[0].accounts[0].id, omnibus.id]
    const owners = ids.map((accountId) => ({ accountId, participantId: id }))
    expect(await Promise.all(ids.map(async (each) => (await of(each)).body))).toEqual(owners)
    expect((await ofMany([...ids, nobodys.id, Bun.randomUUIDv7()])).body).toEqual({ items: [...owners, null, null] })
    expect(refused(await of(nobodys.id), 404).code).toBe('NOT_FOUND')
    // A customer that its participant leaves out takes its accounts with it.
    await service.patch(`/participants/${id}`, { customers: [] })
    expect((await of(ids[0] as string)).status).toBe(404)
    expect((await of(omnibus.id)).status).toBe(200)
  })

  test('is asked for where its event, and that of its customer, have not arrived', async () => {
    const { id } = await service.create<{ id: string }>('/participants', plain())
    const owner = {
      id: Bun.randomUUIDv7(),
      externalId: 'fresh',
      status: 'active',
      createdAt: '2026-01-01T00:00:00.000Z',
    }
    const fresh = made({ customerId: owner.id })
    peers.fault((request) => {
      const { pathname } = new URL(request.url)
      if (pathname === `/internal/accounts/${fresh.id}`)
        return Response.json({ account: fresh, participantId: null, epoch, version: 1 })
      return pathname === `/internal/customers/${owner.id}`
        ? Response.json({ customer: owner, participantId: id, epoch, version: 1 })
        : undefined
    })
    expect((await ofMany([fresh.id])).body).toEqual({ items: [null] })
    expect((await of(fresh.id)).body).toEqual({ accountId: fresh.id, participantId: id })
    peers.fault(null)
    expect((await ofMany([fresh.id])).body).toEqual({ items: [{ accountId: fresh.id, participantId: id }] })
  })

  test('401 for other callers than services, 400 for an id that is not a UUID, 404 for an unknown one, 503 while the account service is unreachable', async () => {
    const unknown = Bun.randomUUIDv7()
    expect(refused(await service.get(`/internal/account-owners/${unknown}`), 401).code).toBe('UNAUTHORIZED')
    expect(refused(await of('x'), 400)).toEqual(notUuid)
    expect(refused(await of(unknown), 404).code).toBe('NOT_FOUND')
    peers.fault(() => refusal(503))
    expect(refused(await of(unknown), 503).code).toBe('SERVICE_UNAVAILABLE')
    peers.fault(null)
  })
})
