import { describe, expect, test } from 'bun:test'
import { type Account, AccountCreated, AccountUpdated } from '@bursar/contracts/account'
import type { BodyOf, Call } from '@bursar/contracts/call'
import { type Customer, CustomerCreated, CustomerUpdated } from '@bursar/contracts/customer'
import { CallError, type Client } from '@bursar/http'
import { accountConsumers } from '../src/accounts/accounts.consumer'
import { type Ledger, openLedger } from './harness'
import { depositOf, makeAsset, withdrawalOf } from './steps'

const createdAt = '2026-01-01T00:00:00.000Z'
const newCustomer = (fields: Partial<Customer> = {}): Customer => ({
  id: Bun.randomUUIDv7(),
  externalId: 'x',
  status: 'active',
  createdAt,
  ...fields,
})
const newAccount = (fields: Partial<Account> = {}): Account => ({
  id: Bun.randomUUIDv7(),
  customerId: null,
  customerExternalId: null,
  walletAccountId: null,
  accountExternalId: null,
  type: 'STABLECOINS',
  status: 'active',
  name: 'x',
  customerName: null,
  createdAt,
  ...fields,
})

/** Delivers an event as the bus would. */
async function hear(ledger: Ledger, event: { name: string; type: string }, data: object, id = Bun.randomUUIDv7()) {
  const consumer = accountConsumers(ledger.deps).find(({ name }) => name === event.name)
  const { name, type } = event
  await consumer?.handle({ id, name, type, timestamp: createdAt, requestId: null, service: 'account', data })
}

const why = async (ledger: Ledger, accountId: string) => {
  const assetId = await makeAsset(ledger)
  const { status, body } = await ledger.send(
    'POST',
    '/transactions/withdrawal',
    withdrawalOf({ accountId, assetId, customerId: '' }),
  )
  return `${status} ${body.message}`
}

describe('copies of accounts and customers', () => {
  test('come by events; without a balance the withdrawal goes that far', async () => {
    const ledger = await openLedger()
    const customer = newCustomer()
    const account = newAccount({ customerId: customer.id })
    await hear(ledger, CustomerCreated, { customer, version: 1 })
    await hear(ledger, AccountCreated, { account, participantId: null, version: 1 })
    expect(await why(ledger, account.id)).toMatch(/^400 Insufficient balance/)
    await hear(ledger, AccountUpdated, {
      account: { ...account, status: 'suspended' },
      participantId: null,
      version: 2,
    })
    expect(await why(ledger, account.id)).toMatch(/^400 Account .* is suspended/)
    await hear(ledger, AccountUpdated, { account, participantId: null, version: 3 })
    await hear(ledger, CustomerUpdated, { customer: { ...customer, status: 'inactive' }, version: 2 })
    expect(await why(ledger, account.id)).toMatch(/^400 Customer .* is inactive/)
    await ledger.close()
  })

  test('in whatever order and however often events come, the newest state stays', async () => {
    const ledger = await openLedger()
    const account = newAccount()
    const state = (status: Account['status'], version: number) => ({
      account: { ...account, status },
      participantId: null,
      version,
    })
    await hear(ledger, AccountUpdated, state('suspended', 3))
    await hear(ledger, AccountUpdated, state('inactive', 2))
    await hear(ledger, AccountCreated, state('active', 1), 'same')
    await hear(ledger, AccountCreated, state('active', 1), 'same')
    expect(await why(ledger, account.id)).toMatch(/is suspended/)
    await ledger.close()
  })
})

/** The account and customer services, as far as they are asked. */
function services(account: Account | null, customer: Customer | null) {
  const asked: string[] = []
  const call = async (to: Call, input: { params?: Record<string, string> } = {}) => {
    asked.push(`${to.service} ${input.params?.id}`)
    const found = to.service === 'account' ? account && { account, participantId: null, version: 4 } : customer
    if (!found) throw new CallError('refused', to.service, 'not found', 404)
    return found as BodyOf<typeof to>
  }
  return { asked, client: { call } as Client }
}

describe('an account that no event has told of', () => {
  test('is asked for once, with its customer', async () => {
    const customer = newCustomer()
    const account = newAccount({ customerId: customer.id })
    const { asked, client } = services(account, customer)
    const ledger = await openLedger({ client })
    expect(await why(ledger, account.id)).toMatch(/^400 Insufficient balance/)
    expect(await why(ledger, account.id)).toMatch(/^400 Insufficient balance/)
    expect(asked).toEqual([`account ${account.id}`, `customer ${customer.id}`])
    await hear(ledger, CustomerUpdated, { customer: { ...customer, status: 'suspended' }, version: 1 })
    expect(await why(ledger, account.id)).toMatch(/is suspended/)
    await ledger.close()
  })

  test('404 when the account service has none, and for an id that is no UUID without asking', async () => {
    const { asked, client } = services(null, null)
    const ledger = await openLedger({ client })
    const id = Bun.randomUUIDv7()
    expect(await why(ledger, id)).toBe(`404 Account ${id} not found`)
    expect(await why(ledger, 'acc-1')).toBe('404 Account acc-1 not found')
    expect(asked).toHaveLength(1)
    await ledger.close()
  })

  test('404 when its customer is missing', async () => {
    const account = newAccount({ customerId: Bun.randomUUIDv7() })
    const { client } = services(account, null)
    const ledger = await openLedger({ client })
    expect(await why(ledger, account.id)).toBe(`404 Customer ${account.customerId} not found`)
    await ledger.close()
  })

  test('503 when the account service cannot be asked; also for deposits and transfers', async () => {
    const ledger = await openLedger()
    const accountId = Bun.randomUUIDv7()
    expect(await why(ledger, accountId)).toMatch(/^503 The account cannot be looked up right now/)
    const bench = { accountId, assetId: await makeAsset(ledger), customerId: '' }
    expect((await ledger.send('POST', '/transactions/deposit', depositOf(bench))).status).toBe(503)
    const { id } = await ledger.account()
    const transfer = { fromAccountId: id, toAccountId: accountId, assetId: bench.assetId, amount: '1' }
    expect((await ledger.send('POST', '/transactions/transfer', transfer)).status).toBe(503)
    await ledger.close()
  })

  test('one without a customer can be used', async () => {
    const account = newAccount({ type: 'OMNIBUS' })
    const { client } = services(account, null)
    const ledger = await openLedger({ client })
    expect(await why(ledger, account.id)).toMatch(/^400 Insufficient balance/)
    await ledger.close()
  })
})
