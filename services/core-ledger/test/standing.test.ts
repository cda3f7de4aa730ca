import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Account as AccountRecord } from '@bursar/contracts/account'
import type { Customer } from '@bursar/contracts/customer'
import { until } from '@bursar/testing'
import { type Account, phase, type RunningLedger, runLedger } from './execution-harness'
import { newAccount, newCustomer } from './owners'
import { closeShortfall, openShortfall } from './shortfalls'

let running: RunningLedger
beforeAll(async () => {
  running = await runLedger()
})
afterAll(() => running.close())

/** Changes a status at its owner alone: the ledger gets no event. */
const setAccount = (of: Account, status: AccountRecord['status']) =>
  running.owners.putAccount(newAccount({ ...of, status }))
const setCustomer = ({ customerId: id }: Account, status: Customer['status']) =>
  running.owners.putCustomer(newCustomer({ id, status }))
/** Waits until it waits, and gives the reason that its phase has. */
const waiting = (id: string, reason: RegExp) =>
  until(async () => {
    const found = await running.transaction(id)
    return found.status === 'APPROVED' && phase(found, 'execution')?.detail?.match(reason)
  })
const ordered = (id: string) => running.wallet.started.filter((one) => one.id === id)

describe('an approved withdrawal', () => {
  const approved = async (change: (account: Account) => unknown) => {
    const account = await running.funded('100')
    const id = await running.withdraw(account, '40')
    change(account)
    await running.screen(id, true)
    return { account, id }
  }

  test('of an account that its owner has suspended waits with the reason, unordered, and continues when it may', async () => {
    const { account, id } = await approved((of) => setAccount(of, 'suspended'))
    await waiting(
      id,
      /^Attempt ([2-9]|\d{2,}): Account .* is suspended; only active accounts can be used; next attempt/,
    )
    expect(ordered(id)).toEqual([])
    expect(await running.balance(account)).toEqual({ available: '60', frozen: '40' })
    setAccount(account, 'active')
    await running.reached(id, 'COMPLETED')
    expect(ordered(id)).toHaveLength(1)
  })

  test('of an asset that is short as a whole waits, unordered', async () => {
    const asset = await running.newAsset()
    const account = await running.funded('100', {}, asset)
    const id = await running.withdraw(account, '40', { assetId: asset.id })
    const shortfall = { accountId: null, assetId: asset.id, reason: 'Less is there than owed', since: new Date() }
    await running.ledger.store.commit((tx) => openShortfall(tx, shortfall))
    await running.screen(id, true)
    await waiting(id, /Less is there than owed/)
    expect(ordered(id)).toEqual([])
    await running.ledger.store.commit((tx) => closeShortfall(tx, null, asset.id))
    await running.reached(id, 'COMPLETED')
  })

  test('of a customer that its owner has suspended waits', async () => {
    const { account, id } = await approved((of) => setCustomer(of, 'suspended'))
    await waiting(id, /Customer .* is suspended/)
    expect(ordered(id)).toEqual([])
    setCustomer(account, 'active')
    await running.reached(id, 'COMPLETED')
  })

  test.each([
    ['account', (of: Account) => setAccount(of, 'deleted'), /^Account .* is deleted/],
    ['customer', (of: Account) => setCustomer(of, 'deleted'), /^Customer .* is deleted/],
  ] as const)(
    'of a deleted %s fails, refused at the wallet service, and its hold is released',
    async (_, change, why) => {
      const { account, id } = await approved(change)
      const failed = await running.reached(id, 'FAILED')
      expect(failed.transactionData.failureReason).toMatch(why)
      expect(ordered(id)).toEqual([])
      expect(running.wallet.records.get(id)?.status).toBe('failed')
      setAccount(account, 'active')
      setCustomer(account, 'active')
      expect(await until(() => running.balance(account))).toEqual({ available: '100', frozen: '0' })
    },
  )

  test('of a deleted account, already accepted by the wallet service, is executed', async () => {
    const account = await running.funded('100')
    const id = await running.withdraw(account, '40')
    running.wallet.script(id, 'lost', 'down')
    await running.screen(id, true)
    await until(() => running.wallet.requestsFor(id) > 2)
    setAccount(account, 'deleted')
    await until(() => running.wallet.server.requests.some(({ path }) => path.endsWith(`${id}/refuse`)))
    running.wallet.script(id, 'confirmed')
    await running.reached(id, 'COMPLETED')
    expect(running.wallet.broadcasts.filter((one) => one === id)).toHaveLength(1)
  })

  test('of an account suspended after an order without an answer is checked, and not ordered again', async () => {
    const account = await running.funded('100')
    const id = await running.withdraw(account, '40')
    running.wallet.script(id, 'lost', 'down')
    await running.screen(id, true)
    await until(() => running.wallet.requestsFor(id) > 2)
    setAccount(account, 'suspended')
    const gets = () =>
      running.wallet.server.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(id)).length
    await until(() => gets() > 0)
    const count = ordered(id).length
    running.wallet.script(id, 'confirmed')
    await running.reached(id, 'COMPLETED')
    expect(ordered(id)).toHaveLength(count)
  })

  test('waits while its owner is unavailable, or does not know it', async () => {
    const lost = await runLedger()
    const account = await lost.funded('100')
    const id = await lost.withdraw(account, '40')
    const reasonOf = async () => phase(await lost.transaction(id), 'execution')?.detail
    lost.owners.forget(account.id)
    await lost.screen(id, true)
    await until(async () => (await reasonOf())?.includes('The account service does not know account'))
    lost.owners.putAccount(newAccount(account))
    lost.owners.forget(account.customerId)
    await until(async () => (await reasonOf())?.includes('The customer service does not know customer'))
    await lost.owners.stop()
    await until(async () => (await reasonOf())?.includes('The account service cannot be reached'))
    expect((await lost.transaction(id)).status).toBe('APPROVED')
    expect(lost.wallet.started).toEqual([])
    await lost.close()
  })
})

describe('an approved transfer', () => {
  const approved = async (change: (from: Account, to: Account) => unknown) => {
    const [from, to] = [await running.funded('10'), await running.ledger.account()]
    const id = await running.transfer(from, to, '4')
    change(from, to)
    await running.screen(id, true)
    return { from, to, id }
  }

  test('waits while its sender or its receiver is not active', async () => {
    for (const side of ['from', 'to'] as const) {
      const parties = await approved((from, to) => setCustomer(side === 'from' ? from : to, 'suspended'))
      await waiting(parties.id, /Customer .* is suspended/)
      expect(await running.balance(parties.from)).toEqual({ available: '6', frozen: '4' })
      setCustomer(parties[side], 'active')
      await running.reached(parties.id, 'COMPLETED')
      expect(await running.balance(parties.to)).toEqual({ available: '4', frozen: '0' })
    }
  })

  test('to a deleted account fails, and its hold is released', async () => {
    const { from, to, id } = await approved((_, receiver) => setAccount(receiver, 'deleted'))
    const failed = await running.reached(id, 'FAILED')
    expect(failed.transactionData.failureReason).toMatch(new RegExp(`^Account ${to.id} is deleted`))
    expect(await running.balance(from)).toEqual({ available: '10', frozen: '0' })
    expect(await running.balance(to)).toBeNull()
  })
})

test('a deposit of an account whose customer is not active is held until it is', async () => {
  const account = await running.ledger.account({ customerStatus: 'suspended' })
  const id = await running.deposit(account, '5')
  await running.screen(id, true)
  await waiting(id, /Customer .* is suspended/)
  expect(await running.balance(account)).toBeNull()
  const state = setCustomer(account, 'active')
  await running.ledger.consume({
    id: Bun.randomUUIDv7(),
    name: 'customer.customer.updated',
    type: 'customer.customer.updated',
    timestamp: new Date().toISOString(),
    requestId: null,
    service: 'customer',
    data: state,
  })
  await running.reached(id, 'COMPLETED')
})

test('a deposit of a deleted account waits in suspense, and does not fail', async () => {
  const account = await running.ledger.account({ status: 'deleted' })
  const id = await running.deposit(account, '5')
  await running.screen(id, true)
  await waiting(id, /^Attempt ([2-9]|\d{2,}): Account .* is deleted/)
  expect(await running.balance(account)).toBeNull()
})

test('a deposit is credited whatever is short: it may be what is missing', async () => {
  const asset = await running.newAsset()
  const account = await running.ledger.account()
  for (const accountId of [account.id, null]) {
    const shortfall = { accountId, assetId: asset.id, reason: 'Less is there than owed', since: new Date() }
    await running.ledger.store.commit((tx) => openShortfall(tx, shortfall))
  }
  const id = await running.deposit(account, '5', asset)
  await running.screen(id, true)
  await running.reached(id, 'COMPLETED')
})
