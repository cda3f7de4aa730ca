// The owner of a customer: CustomerOwned in the commit of the change, and the pull by the ledger.
import { describe, expect, test } from 'bun:test'
import { CustomerOwned } from '@bursar/contracts/participant'
import { account, customer, expectRising, plain, refused } from './harness'
import { peers, service, withPeers } from './peered-service'
import { refusal } from './peers'

withPeers()

interface Owned {
  customerId: string
  participantId: string
  epoch: number
  version: number
}
const ownedEvents = async () => (await service.events()).filter(({ name }) => name === CustomerOwned.name)
const ownersOf = async (participantId: string) =>
  (await ownedEvents()).map(({ data }) => data as Owned).filter((each) => each.participantId === participantId)
const idsOf = (records: readonly { customerId: string }[]) => records.map(({ customerId }) => customerId)
const customersOf = (participant: { customers: { id: string }[] }) => participant.customers.map(({ id }) => id)
const changes = async (after = 0, of = service) =>
  (await of.get(`/internal/customer-owners/changes?after=${after}`, await of.asService('core-ledger'))).body

describe('a customer’s owner', () => {
  test('is published with the creation of the participant', async () => {
    const created = await service.create(
      '/participants',
      plain({ customers: [customer({ accounts: [account()] }), customer()] }),
    )
    const owned = await ownersOf(created.id)
    expect(idsOf(owned)).toEqual(customersOf(created))
    expect(owned[0]).toEqual({
      customerId: created.customers[0].id,
      participantId: created.id,
      epoch: expect.any(Number),
      version: expect.any(Number),
    })
    expectRising(await ownedEvents())
    const { epoch, items } = await changes()
    for (const { customerId, participantId, version, epoch: of } of owned) {
      expect(items).toContainEqual({ version, record: { customerId, participantId } })
      expect(of).toBe(epoch)
    }
    const after = owned[0]?.version ?? 0
    expect(idsOf((await changes(after)).items.map(({ record }: { record: Owned }) => record))).not.toContain(
      created.customers[0].id,
    )
  })

  test('is published once: not with a change that keeps the customer, leaves it out, or takes it back', async () => {
    const first = customer()
    const second = customer()
    const { id } = await service.create('/participants', plain({ customers: [first] }))
    const patch = async (...customers: object[]) => (await service.patch(`/participants/${id}`, { customers })).body
    await patch(first)
    expect(await ownersOf(id)).toHaveLength(1)
    const both = await patch(first, second)
    expect(idsOf(await ownersOf(id))).toEqual(customersOf(both))
    await patch(second)
    await patch(second, first)
    await patch({ ...first, status: 'suspended' })
    expect(await ownersOf(id)).toHaveLength(2)
  })

  test('is not published for a creation that fails; the next one that names the customer owns it', async () => {
    const made = customer({ accounts: [account()] })
    peers.fault((request) =>
      request.method === 'POST' && request.url.endsWith('/v1/accounts') ? refusal(422) : undefined,
    )
    const before = (await ownedEvents()).length
    refused(await service.post('/participants', plain({ customers: [made] })), 502)
    peers.fault(null)
    expect(await ownedEvents()).toHaveLength(before)
    const { id, customers } = await service.create('/participants', plain({ customers: [made] }))
    expect(idsOf(await ownersOf(id))).toEqual(customersOf({ customers }))
  })
})

describe('GET /internal/customer-owners/changes', () => {
  test('401 for other callers than services, 400 for an invalid version', async () => {
    expect(refused(await service.get('/internal/customer-owners/changes'), 401).code).toBe('UNAUTHORIZED')
    const as = await service.asService('core-ledger')
    expect(refused(await service.get('/internal/customer-owners/changes?after=x', as), 400).code).toBe(
      'INVALID_REQUEST',
    )
  })
})
