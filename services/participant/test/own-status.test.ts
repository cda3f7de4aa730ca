// With AUTHORIZATION=roles a participant changes its record, and undoes no decision of compliance by that.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { CustomerUpdated } from '@bursar/contracts/customer'
import type { Authorization } from '@bursar/http'
import { account, customer, plain, refused, type TestParticipants, testParticipants } from './harness'
import { epoch, type Peers, refusal, startPeers } from './peers'

let peers: Peers
const services = {} as Record<Authorization, TestParticipants>
beforeAll(async () => {
  peers = startPeers()
  for (const authorization of ['roles', 'documented'] as const) {
    services[authorization] = await testParticipants({ customer: peers.url, account: peers.url }, { authorization })
  }
})
afterAll(async () => {
  for (const service of Object.values(services)) await service.close()
  await peers.server.stop()
})

/** A participant with a customer and its account, and those who may change it. */
async function made(service: TestParticipants, status = 'active', accountStatus = 'active') {
  const given = customer({ status, accounts: [account({ status: accountStatus })] })
  const { body } = await service.post('/participants', plain({ customers: [given] }))
  const path = `/participants/${body.id}`
  return {
    path,
    given,
    customerId: body.customers[0].id as string,
    accountId: body.customers[0].accounts[0].id as string,
    key: await service.asParticipant(body.id),
    ownAdmin: await service.as({ roles: ['participant-admin'], participantId: body.id }),
    admin: await service.as({ roles: ['admin'] }),
  }
}

test.each(['suspended', 'inactive', 'deleted'])(
  'a customer that is %s stays so for its participant: 409',
  async (status) => {
    const service = services.roles
    const { path, given, customerId, key, ownAdmin, admin } = await made(service, status)
    const active = { customers: [{ ...given, status: 'active' }] }
    for (const headers of [key, ownAdmin]) {
      const whole = plain({ routerData: null, ...active })
      for (const answer of [await service.patch(path, active, headers), await service.put(path, whole, headers)]) {
        expect(refused(answer, 409).message).toBe(
          `The status of customer ${given.externalId} is ${status}, and only staff changes it: send it as it is`,
        )
      }
    }
    expect(peers.customers.get(customerId)?.status).toBe(status)
    // As it is, beside a new one.
    const more = { customers: [given, customer({ accounts: [account()] })] }
    expect((await service.patch(path, more, key)).status).toBe(200)
    expect((await service.patch(path, { customers: [{ ...given, status: 'active' }] }, admin)).status).toBe(200)
    expect(peers.customers.get(customerId)?.status).toBe('active')
  },
)

test('an account that is suspended stays so for its participant: 409; it may have another one', async () => {
  const service = services.roles
  const { path, given, accountId, key, admin } = await made(service, 'active', 'suspended')
  const active = { customers: [{ ...given, accounts: [account()] }] }
  expect(refused(await service.patch(path, active, key), 409).message).toBe(
    'The status of account Main is suspended, and only staff changes it: send it as it is',
  )
  const another = { customers: [{ ...given, accounts: [account({ name: 'Second' })] }] }
  expect((await service.patch(path, another, key)).status).toBe(200)
  expect(peers.accounts.get(accountId)?.status).toBe('suspended')
  expect((await service.patch(path, active, admin)).status).toBe(200)
  expect(peers.accounts.get(accountId)?.status).toBe('active')
})

/** A participant, and its customers as a change gives them that has failed: the new one was left deleted. */
async function failed(service: TestParticipants) {
  const { path, given, key } = await made(service)
  const fresh = customer({ accounts: [account(), account({ name: 'Refused' })] })
  const both = { customers: [given, fresh] }
  peers.fault((request, usual) => {
    if (request.method !== 'POST' || !request.url.endsWith('/v1/accounts')) return undefined
    return (request.clone().json() as Promise<{ name: string }>).then(({ name }) =>
      name === 'Refused' ? refusal(422) : usual(),
    )
  })
  refused(await service.patch(path, both, key), 502)
  peers.fault(null)
  const left = [...peers.customers.values()].find(({ externalId }) => externalId === fresh.externalId)
  expect(left?.status).toBe('deleted')
  return { change: () => service.patch(path, both, key), fresh, left }
}

test('a customer that a failed change has left deleted is made active by the next one', async () => {
  const { change, left } = await failed(services.roles)
  const { status, body } = await change()
  expect([status, body.customers?.[1]]).toMatchObject([
    200,
    { id: left?.id, status: 'active', accounts: [{ status: 'active' }, { name: 'Refused' }] },
  ])
})

test('a customer that a failed change has left, and that staff has suspended, stays so: 409', async () => {
  const service = services.roles
  const { change, fresh, left } = await failed(service)
  await service.consume({
    id: Bun.randomUUIDv7(),
    name: CustomerUpdated.name,
    type: CustomerUpdated.type,
    timestamp: '2026-01-01T00:00:00.000Z',
    requestId: null,
    service: 'customer',
    data: { customer: { ...left, status: 'suspended' }, epoch, version: 1_000_000 },
  })
  expect(refused(await change(), 409).message).toStartWith(`The status of customer ${fresh.externalId} is suspended`)
})

test('with AUTHORIZATION=documented every caller may', async () => {
  const service = services.documented
  const { path, given, customerId, key } = await made(service, 'suspended')
  expect((await service.patch(path, { customers: [{ ...given, status: 'active' }] }, key)).status).toBe(200)
  expect(peers.customers.get(customerId)?.status).toBe('active')
})
