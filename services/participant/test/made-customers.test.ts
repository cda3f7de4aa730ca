// A customer that a participant creates at the customer service belongs to it: in its answers, for the ledger, and
// before the event has arrived.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CustomerCreated, CustomerUpdated } from '@bursar/contracts/customer'
import { CustomerOwned } from '@bursar/contracts/participant'
import { reconcile } from '@bursar/http'
import { type LocalServer, localServer } from '@bursar/testing'
import { customerReplicas } from '../src/members/customer-replicas'
import { customer, plain, refused, testParticipants } from './harness'
import { peers, service, withPeers } from './peered-service'
import { epoch, refusal } from './peers'

/** A stub of the customer service's change feed. */
let owner: LocalServer
let told: object[]
beforeAll(async () => {
  told = []
  owner = localServer(() =>
    Response.json({ epoch, items: told.map((record, i) => ({ version: i + 1, record })), more: false }),
  )
})
withPeers()
afterAll(() => owner.stop())

const made = (fields: object = {}) => ({
  id: Bun.randomUUIDv7(),
  externalId: Bun.randomUUIDv7(),
  status: 'active' as const,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...fields,
})
const hear = (record: object, participantId: string | undefined, version = 1, event = CustomerCreated) =>
  service.consume({
    id: Bun.randomUUIDv7(),
    name: event.name,
    type: event.type,
    timestamp: '2026-01-01T00:00:00.000Z',
    requestId: null,
    service: 'customer',
    data: { customer: record, participantId, epoch, version },
  })
const bank = async () => (await service.create<{ id: string }>('/participants', plain())).id
const customersOf = async (id: string) =>
  (await service.get(`/participants/${id}`)).body.customers.map((each: { id: string }) => each.id)
const ownersTold = async (customerId: string) =>
  (await service.events())
    .filter(({ name }) => name === CustomerOwned.name)
    .map(({ data }) => data as { customerId: string; participantId: string })
    .filter((each) => each.customerId === customerId)
    .map(({ participantId }) => participantId)
const ownerOf = async (customerId: string) =>
  await service.get(`/internal/customer-owners/${customerId}`, await service.asService('gateway'))

describe('a customer that a participant has created', () => {
  test('is the last of its customers, with one event', async () => {
    const id = await bank()
    const [first, second] = [made(), made()]
    await hear(first, id)
    await hear(second, id)
    await hear({ ...first, status: 'suspended' }, id, 2, CustomerUpdated)
    expect(await customersOf(id)).toEqual([first.id, second.id])
    expect([await ownersTold(first.id), await ownersTold(second.id)]).toEqual([[id], [id]])
    expect((await ownerOf(first.id)).body).toEqual({ customerId: first.id, participantId: id })
  })

  test('while a change is under way stays, as the last one', async () => {
    const { id, customers } = await service.create('/participants', plain({ customers: [customer()] }))
    const fresh = made()
    peers.fault((request, usual) => (request.method === 'POST' ? hear(fresh, id).then(() => usual()) : undefined))
    const named = customer()
    const { body } = await service.patch(`/participants/${id}`, { customers: [named] })
    peers.fault(null)
    expect(body.customers.map((each: { externalId: string }) => each.externalId)).toEqual([
      named.externalId,
      fresh.externalId,
    ])
    expect([await ownersTold(fresh.id), (await ownerOf(fresh.id)).status]).toEqual([[id], 200])
    expect((await ownerOf(customers[0].id)).status).toBe(404)
  })

  test('is found in the change feed when the event was lost', async () => {
    const id = await bank()
    const lost = made()
    told.push({ ...lost, participantId: id })
    const alone = await testParticipants({ customer: owner.url })
    await reconcile(alone.deps, customerReplicas)
    await reconcile(alone.deps, customerReplicas)
    const { items } = (await alone.get('/internal/customer-owners/changes', await alone.asService('core-ledger'))).body
    expect(items.map(({ record }: { record: object }) => record)).toEqual([{ customerId: lost.id, participantId: id }])
    await alone.close()
  })

  test('keeps its owner, whatever another participant says', async () => {
    const [id, other] = [await bank(), await bank()]
    const own = made()
    await hear(own, id)
    await hear(own, other, 2, CustomerUpdated)
    expect([await customersOf(id), await customersOf(other), await ownersTold(own.id)]).toEqual([[own.id], [], [id]])
    const taking = await service.patch(`/participants/${other}`, {
      customers: [customer({ externalId: own.externalId })],
    })
    expect(refused(taking, 409).code).toBe('CONFLICT')
    const keeping = await service.patch(`/participants/${id}`, {
      customers: [customer({ externalId: own.externalId })],
    })
    expect(keeping.body.customers).toMatchObject([{ id: own.id }])
  })

  test('without a creator has no owner', async () => {
    const nobodys = made()
    await hear(nobodys, undefined)
    expect(await ownersTold(nobodys.id)).toEqual([])
    expect(refused(await ownerOf(nobodys.id), 404).code).toBe('NOT_FOUND')
  })
})

describe('GET /internal/customer-owners/:customerId', () => {
  test('fetches one whose event has not arrived', async () => {
    const id = await bank()
    const fresh = made()
    peers.fault((request) =>
      new URL(request.url).pathname === `/internal/customers/${fresh.id}`
        ? Response.json({ customer: fresh, participantId: id, epoch, version: 1 })
        : undefined,
    )
    expect((await ownerOf(fresh.id)).body).toEqual({ customerId: fresh.id, participantId: id })
    peers.fault(null)
    expect(await customersOf(id)).toEqual([fresh.id])
  })

  test('404 for one that left its participant, and for one without an owner', async () => {
    const { id, customers } = await service.create('/participants', plain({ customers: [customer()] }))
    const [{ id: left }] = customers
    expect((await ownerOf(left)).status).toBe(200)
    await service.patch(`/participants/${id}`, { customers: [] })
    expect((await ownerOf(left)).status).toBe(404)
    expect((await ownerOf(Bun.randomUUIDv7())).status).toBe(404)
  })

  test('401 for other callers than services, 400 for an id that is not a UUID, 503 while the customer service is unreachable', async () => {
    const path = `/internal/customer-owners/${Bun.randomUUIDv7()}`
    expect(refused(await service.get(path), 401).code).toBe('UNAUTHORIZED')
    expect((await ownerOf('x')).status).toBe(400)
    peers.fault(() => refusal(503))
    expect(refused(await ownerOf(Bun.randomUUIDv7()), 503).code).toBe('SERVICE_UNAVAILABLE')
    peers.fault(null)
  })
})
