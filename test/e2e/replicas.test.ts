// The replicas of the customer, account and participant services against their real owners, without events: what a lost
// event, an emptied broker or a restored backup has put wrong is right again after one run of the reconciliation.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Envelope } from '@bursar/contracts/event'
import { reconciling } from '@bursar/http'
import { type LocalServer, localServer, tempDir } from '@bursar/testing'
import { type TestService, testService } from '@bursar/testing/service'
import { customerReplicas } from '../../services/account/src/customers/customers'
import { definition as accountDefinition } from '../../services/account/src/service'
import { accountReplicas } from '../../services/customer/src/accounts/accounts'
import { definition as customerDefinition } from '../../services/customer/src/service'
import { customerReplicas as participantCustomers } from '../../services/participant/src/customers/customers'
import type { ParticipantDeps } from '../../services/participant/src/deps'
import { accountReplicas as participantAccounts } from '../../services/participant/src/own-accounts/account-replicas'
import { definition as participantDefinition } from '../../services/participant/src/service'

let customers: TestService
let accounts: TestService
let participants: TestService<ParticipantDeps>
const servers: LocalServer[] = []
const urls: Record<string, string> = {}
let isOwnerAway = false
const away = async () => new Response(null, { status: 503 })

const startCustomers = async (dataDir = tempDir()) => {
  customers = await testService({ name: 'customer', definition: customerDefinition(), urls, dataDir })
}
const startAccounts = async (dataDir = tempDir()) => {
  accounts = await testService({ name: 'account', definition: accountDefinition(), urls, dataDir })
}
beforeEach(async () => {
  // The address of a service stays while the service behind it is started anew.
  const behind = {
    customer: () => (isOwnerAway ? { fetch: away } : customers),
    account: () => accounts,
    wallet: () => walletOf,
  }
  for (const [name, service] of Object.entries(behind)) {
    const server = localServer((request) => service().fetch(request))
    urls[name] = server.url
    servers.push(server)
  }
  await startCustomers()
  await startAccounts()
  const dataDir = tempDir()
  participants = await testService({
    name: 'participant',
    definition: participantDefinition({
      dataDir,
      authorization: 'documented',
      databaseUrl: null,
      secretKey: undefined,
    }),
    urls,
    dataDir,
  })
})
afterEach(async () => {
  await Promise.all([customers.close(), accounts.close(), participants.deps.sagas.stop()])
  await participants.close()
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

/** A wallet service whose accounts have one address each: their own id. */
const walletOf = { fetch: async (request: Request) => Response.json([new URL(request.url).pathname.split('/').at(-2)]) }

/** One run of each reconciliation, as the services' workers make them. */
async function reconcileAll(): Promise<void> {
  const loops = [
    reconciling(customers.deps, accountReplicas),
    reconciling(accounts.deps, customerReplicas),
    reconciling(participants.deps, participantCustomers),
    reconciling(participants.deps, participantAccounts(participants.deps.now)),
  ]
  for (const loop of loops) await loop.runNow()
  await Promise.all(loops.map((loop) => loop.stop()))
}

/** The file of a service that is stopped, put away and put back. */
function backup({ file }: TestService): { restore(): string } {
  const copy = join(tempDir(), 'backup.sqlite')
  copyFileSync(file, copy)
  return {
    restore() {
      for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
      copyFileSync(copy, file)
      return dirname(file)
    },
  }
}

let made = 0
const newCustomer = () => customers.create('/customers', { externalId: `c-${++made}`, status: 'active' })
const newAccount = (fields: object) =>
  accounts.create('/accounts', { type: 'STABLECOINS', status: 'active', name: 'Main', ...fields })
const newParticipant = (customersOf: object[] = []) =>
  participants.create('/participants', {
    institutionName: 'First Bank',
    authConsumerId: `sk_test_${++made}`,
    customers: customersOf,
  })
const nested = () => ({
  externalId: `c-${++made}`,
  status: 'active',
  accounts: [{ type: 'STABLECOINS', status: 'active', name: 'Main' }],
})
const shown = async (id: string) => (await participants.get(`/participants/${id}`)).body
const addressesOf = async (customerId: string) =>
  (await customers.get(`/customers/${customerId}/accounts/addresses`)).body
const eventsAbout = async (service: TestService, id: string) =>
  (await service.events()).filter(({ data }) => JSON.stringify(data).includes(id))
const deliver = async (service: TestService, envelopes: readonly Envelope[]) => {
  for (const envelope of envelopes) await service.consume(envelope)
}

/** While its owner is away the account service answers from its replica alone. */
async function knowsCustomer(customerId: string): Promise<boolean> {
  isOwnerAway = true
  const { status } = await accounts.post('/accounts', {
    type: 'PORTFOLIO',
    status: 'active',
    name: 'Probe',
    customerId,
  })
  isOwnerAway = false
  return status === 201
}

describe('after lost events', () => {
  test('the account service knows a customer', async () => {
    const { id } = await newCustomer()
    expect(await knowsCustomer(id)).toBe(false)
    await reconcileAll()
    expect(await knowsCustomer(id)).toBe(true)
  })

  test('the customer service knows an account', async () => {
    const { id: customerId } = await newCustomer()
    const account = await newAccount({ customerId })
    expect(await addressesOf(customerId)).toEqual([])
    await reconcileAll()
    expect(await addressesOf(customerId)).toEqual([account.id])
  })

  test('the participant service shows new statuses, new accounts and its own accounts', async () => {
    const { id, customers: own } = await newParticipant([nested()])
    const [{ id: customerId, accounts: held }] = own
    await customers.put(`/customers/${customerId}`, { status: 'suspended' })
    await accounts.put(`/accounts/${held[0].id}`, { status: 'deleted' })
    const added = await newAccount({ customerId, name: 'Added' })
    const omnibus = await accounts.get('/accounts/omnibus', await accounts.asParticipant(id))
    expect((await shown(id)).customers).toEqual(own)
    await reconcileAll()
    const body = await shown(id)
    expect(body.customers).toEqual([
      { ...own[0], status: 'suspended', accounts: [{ ...held[0], status: 'deleted' }, added] },
    ])
    expect([body.omnibusAccountId, body.feePayerAccountId]).toEqual([omnibus.body.id, null])
  })
})

test('after an emptied broker, with more than a page of changes, everything is there', async () => {
  const all = await Promise.all(Array.from({ length: 600 }, newCustomer))
  await reconcileAll()
  await Promise.all(all.map(({ id: customerId }) => newAccount({ customerId })))
  for (const { broker } of [customers, accounts]) broker.published.length = 0
  await reconcileAll()
  const [first, last] = [all[0], all[599]]
  expect([(await addressesOf(first.id)).length, (await addressesOf(last.id)).length]).toEqual([1, 1])
  expect([await knowsCustomer(first.id), await knowsCustomer(last.id)]).toEqual([true, true])
})

describe('after a restore of an owner from an older backup', () => {
  test('the older state counts, though its versions are lower', async () => {
    const { id, customers: own } = await newParticipant([nested()])
    await reconcileAll()
    await customers.close()
    const before = backup(customers)
    await startCustomers(dirname(customers.file))
    for (const status of ['inactive', 'suspended', 'deleted'])
      await customers.put(`/customers/${own[0].id}`, { status })
    await reconcileAll()
    expect((await shown(id)).customers[0].status).toBe('deleted')
    await customers.close()
    await startCustomers(before.restore())
    await reconcileAll()
    expect((await shown(id)).customers[0].status).toBe('active')
    // And goes on from there.
    await customers.put(`/customers/${own[0].id}`, { status: 'inactive' })
    await deliver(participants, (await eventsAbout(customers, own[0].id)).slice(-1))
    expect((await shown(id)).customers[0].status).toBe('inactive')
  })

  test('records that are lost there are gone here, and a lost omnibus account is made anew', async () => {
    const { id } = await newParticipant()
    const { id: customerId } = await newCustomer()
    const kept = await newAccount({ customerId })
    await accounts.close()
    const before = backup(accounts)
    await startAccounts(dirname(accounts.file))
    const lost = await newAccount({ customerId, name: 'Lost' })
    const headers = await accounts.asParticipant(id)
    const omnibus = (await accounts.get('/accounts/omnibus', headers)).body
    await reconcileAll()
    expect([await addressesOf(customerId), (await shown(id)).omnibusAccountId]).toEqual([
      [kept.id, lost.id],
      omnibus.id,
    ])
    await accounts.close()
    await startAccounts(before.restore())
    await reconcileAll()
    expect([await addressesOf(customerId), (await shown(id)).omnibusAccountId]).toEqual([[kept.id], null])
    const anew = (await accounts.get('/accounts/omnibus', headers)).body
    await reconcileAll()
    expect((await shown(id)).omnibusAccountId).toBe(anew.id)
  })

  test('an external id may be that of another customer', async () => {
    const dir = dirname(customers.file)
    await customers.close()
    const before = backup(customers)
    await startCustomers(dir)
    const old = await customers.create('/customers', { externalId: 'same', status: 'active' })
    await reconcileAll()
    await customers.close()
    await startCustomers(before.restore())
    const anew = await customers.create('/customers', { externalId: 'same', status: 'active' })
    // By its event, with the old one's replica still there, and by the pull.
    await deliver(accounts, await eventsAbout(customers, anew.id))
    expect((await newAccount({ customerExternalId: 'same' })).customerId).toBe(anew.id)
    await reconcileAll()
    expect((await newAccount({ customerExternalId: 'same' })).customerId).toBe(anew.id)
    expect(
      (await accounts.post('/accounts', { type: 'PORTFOLIO', status: 'active', name: 'x', customerId: old.id })).status,
    ).toBe(404)
  })
})

describe('events out of order', () => {
  test('leave the newest state, before a pull, after it and delivered again', async () => {
    const { id, customers: own } = await newParticipant([nested()])
    const [{ id: customerId, accounts: held }] = own
    for (const status of ['inactive', 'deleted', 'suspended']) {
      await customers.put(`/customers/${customerId}`, { status })
      await accounts.put(`/accounts/${held[0].id}`, { status })
    }
    const envelopes = [...(await eventsAbout(customers, customerId)), ...(await eventsAbout(accounts, held[0].id))]
    expect(envelopes).toHaveLength(8)
    const statuses = async () => {
      const [customer] = (await shown(id)).customers
      return [customer.status, customer.accounts[0].status]
    }
    await deliver(participants, envelopes.toReversed().slice(0, 5))
    expect(await statuses()).toEqual(['suspended', 'suspended'])
    await reconcileAll()
    expect(await statuses()).toEqual(['suspended', 'suspended'])
    await deliver(participants, envelopes.toReversed())
    expect(await statuses()).toEqual(['suspended', 'suspended'])
    await reconcileAll()
    expect(await statuses()).toEqual(['suspended', 'suspended'])
  })
})
