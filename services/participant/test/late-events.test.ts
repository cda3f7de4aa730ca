// Events that arrive after their service was set back to a backup from before them.
import { beforeAll, expect, test } from 'bun:test'
import { AccountCreated } from '@bursar/contracts/account'
import { CustomerCreated } from '@bursar/contracts/customer'
import { setReplicaPlace } from '@bursar/store'
import { account } from './harness'
import { get, participant, peers, service, withPeers } from './peered-service'
import { epoch, refusal } from './peers'

const restored = epoch + 1
const at = { createdAt: '2026-01-01T00:00:00.000Z' }

withPeers()
beforeAll(async () => {
  for (const kind of ['account', 'customer']) {
    await service.store.commit((tx) => setReplicaPlace(tx, { kind, epoch: restored, after: 0 }))
  }
})

const say = (event: { name: string; type: string }, data: object) =>
  service.consume({
    id: Bun.randomUUIDv7(),
    name: event.name,
    type: event.type,
    timestamp: at.createdAt,
    requestId: null,
    service: 'other',
    data,
  })

test('an account that was lost does not take the place of the one that its participant has', async () => {
  const { id } = await participant()
  const none = { customerId: null, customerExternalId: null, walletAccountId: null, accountExternalId: null }
  const omnibus = { ...account({ type: 'OMNIBUS' }), ...none, ...at, customerName: null, participantId: id }
  const created = async (mark: { epoch: number; version: number }) => {
    const { participantId, ...own } = { ...omnibus, id: Bun.randomUUIDv7() }
    await say(AccountCreated, { account: own, participantId, ...mark })
    return own.id
  }
  await created({ epoch, version: 900 })
  expect((await get(id)).omnibusAccountId).toBe(null)
  const present = await created({ epoch: restored, version: 1 })
  await created({ epoch, version: 901 })
  expect((await get(id)).omnibusAccountId).toBe(present)
})

test('a customer that was lost becomes nobody’s', async () => {
  const { id } = await participant()
  const customer = { ...at, id: Bun.randomUUIDv7(), externalId: 'lost', status: 'active' }
  await say(CustomerCreated, { customer, participantId: id, epoch, version: 900 })
  peers.fault((request) => (request.url.endsWith(customer.id) ? refusal(404) : undefined))
  const owner = `/internal/customer-owners/${customer.id}`
  expect((await service.ask('GET', owner, undefined, await service.asService('gateway'))).status).toBe(404)
})
