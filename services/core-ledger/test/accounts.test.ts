import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Account, AccountCreated, type AccountState, AccountUpdated } from '@bursar/contracts/account'
import { CustomerCreated, type CustomerState, CustomerUpdated } from '@bursar/contracts/customer'
import type { EventType } from '@bursar/contracts/event'
import { until } from '@bursar/testing'
import { accountWorkers } from '../src/accounts/accounts.consumer'
import { type Ledger, openLedger } from './harness'
import { newAccount, newCustomer, type Owners, testOwners } from './owners'
import { depositOf, makeAsset, withdrawalOf } from './steps'

let owners: Owners
let ledger: Ledger
beforeEach(async () => {
  owners = testOwners()
  ledger = await openLedger({ urls: { account: owners.server.url, customer: owners.server.url } })
})
afterEach(async () => {
  await ledger.close()
  await owners.stop()
})

/** Delivers an event as the bus does. */
const deliver = (
  event: Pick<EventType, 'name' | 'type'>,
  data: AccountState | CustomerState,
  id = Bun.randomUUIDv7(),
) =>
  ledger.consume({
    id,
    name: event.name,
    type: event.type,
    timestamp: '2026-01-01T00:00:00.000Z',
    requestId: null,
    service: 'account',
    data,
  })

/** How a withdrawal of an account without a balance is refused: for the lack of it, when all else is right. */
const refusal = async (accountId: string, of = ledger) => {
  const assetId = await makeAsset(of)
  const body = withdrawalOf({ accountId, assetId, customerId: '' })
  const answer = await of.ask('POST', '/transactions/withdrawal', body)
  return `${answer.status} ${answer.body.message}`
}
const asked = () => owners.server.requests.map(({ path }) => path)

describe('replicas of accounts and customers', () => {
  test('follow the owners’ events', async () => {
    const customer = newCustomer()
    const account = newAccount({ customerId: customer.id })
    const state = (fields: Partial<Account>) => owners.putAccount({ ...account, ...fields })
    await deliver(CustomerCreated, owners.putCustomer(customer))
    await deliver(AccountCreated, state({}))
    expect(await refusal(account.id)).toMatch(/^400 Insufficient balance/)
    await deliver(AccountUpdated, state({ status: 'suspended' }))
    expect(await refusal(account.id)).toMatch(/^400 Account .* is suspended/)
    await deliver(AccountUpdated, state({}))
    await deliver(CustomerUpdated, owners.putCustomer({ ...customer, status: 'inactive' }))
    expect(await refusal(account.id)).toMatch(/^400 Customer .* is inactive/)
    expect(asked()).toEqual([])
  })

  test('in whatever order and however often events come, the newest state stays', async () => {
    const account = newAccount()
    const created = owners.putAccount(account)
    const inactive = owners.putAccount({ ...account, status: 'inactive' })
    const suspended = owners.putAccount({ ...account, status: 'suspended' })
    await deliver(AccountUpdated, suspended)
    await deliver(AccountUpdated, inactive)
    const same = Bun.randomUUIDv7()
    await deliver(AccountCreated, created, same)
    await deliver(AccountCreated, created, same)
    expect(await refusal(account.id)).toMatch(/is suspended/)
    const customer = newCustomer()
    const [older, newer] = [owners.putCustomer(customer), owners.putCustomer({ ...customer, status: 'suspended' })]
    await deliver(CustomerUpdated, newer)
    await deliver(CustomerCreated, older)
    const own = newAccount({ customerId: customer.id })
    await deliver(AccountCreated, owners.putAccount(own))
    expect(await refusal(own.id)).toMatch(/^400 Customer .* is suspended/)
  })

  test('a higher epoch is newer than any version of a lower one', async () => {
    const account = newAccount()
    const before = owners.putAccount(account)
    await deliver(AccountCreated, { ...before, version: 99 })
    await deliver(AccountUpdated, {
      ...before,
      account: { ...account, status: 'suspended' },
      epoch: before.epoch + 1,
      version: 1,
    })
    expect(await refusal(account.id)).toMatch(/is suspended/)
  })

  test('are corrected by the owners: a lost event, a forgotten record, an owner that was restored', async () => {
    const customer = newCustomer()
    const account = newAccount({ customerId: customer.id })
    const gone = newAccount()
    await deliver(CustomerCreated, owners.putCustomer(customer))
    await deliver(AccountCreated, owners.putAccount(account))
    await deliver(AccountCreated, owners.putAccount(gone))
    for (let i = 0; i < 5; i++) owners.putAccount(newAccount())
    owners.putCustomer({ ...customer, status: 'suspended' })
    const workers = accountWorkers(ledger.deps)
    await until(async () => (await refusal(account.id)).includes('is suspended'))
    await Promise.all(workers.map((worker) => worker.stop()))
    // Restored from an older backup: another epoch, older states, and a record fewer.
    owners.epoch += 1
    owners.forget(gone.id)
    owners.putCustomer(customer)
    const again = accountWorkers(ledger.deps)
    await until(async () => (await refusal(account.id)).includes('Insufficient'))
    await until(async () => (await refusal(gone.id)) === `404 Account ${gone.id} not found`)
    await Promise.all(again.map((worker) => worker.stop()))
  })
})

describe('an account that is not in the replica', () => {
  test('is asked for once, with its customer; a later event is newer', async () => {
    const customer = newCustomer()
    const account = newAccount({ customerId: customer.id })
    owners.putAccount(account)
    owners.putCustomer(customer)
    expect(await refusal(account.id)).toMatch(/^400 Insufficient balance/)
    expect(await refusal(account.id)).toMatch(/^400 Insufficient balance/)
    expect(asked()).toEqual([`/internal/accounts/${account.id}`, `/internal/customers/${customer.id}`])
    await deliver(CustomerUpdated, owners.putCustomer({ ...customer, status: 'suspended' }))
    expect(await refusal(account.id)).toMatch(/is suspended/)
  })

  test('404 when the account service has none, and for an id that is no UUID without asking', async () => {
    const id = Bun.randomUUIDv7()
    expect(await refusal(id)).toBe(`404 Account ${id} not found`)
    expect(await refusal('acc-1')).toBe('404 Account acc-1 not found')
    expect(asked()).toHaveLength(1)
  })

  test('404 when its customer is missing', async () => {
    const account = newAccount({ customerId: Bun.randomUUIDv7() })
    owners.putAccount(account)
    expect(await refusal(account.id)).toBe(`404 Customer ${account.customerId} not found`)
  })

  test('503 when the account service cannot be asked; also for deposits and transfers', async () => {
    const lonely = await openLedger()
    const accountId = Bun.randomUUIDv7()
    expect(await refusal(accountId, lonely)).toMatch(/^503 The account cannot be looked up right now/)
    const bench = { accountId, assetId: await makeAsset(lonely), customerId: '' }
    expect((await lonely.ask('POST', '/transactions/deposit', depositOf(bench))).status).toBe(503)
    const { id } = await lonely.account()
    const transfer = { fromAccountId: id, toAccountId: accountId, assetId: bench.assetId, amount: '1' }
    expect((await lonely.ask('POST', '/transactions/transfer', transfer)).status).toBe(503)
    await lonely.close()
  })

  test('one without a customer can be used', async () => {
    const account = newAccount({ type: 'OMNIBUS' })
    owners.putAccount(account)
    expect(await refusal(account.id)).toMatch(/^400 Insufficient balance/)
  })
})
