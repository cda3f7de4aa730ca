// A restore of the ledger's database takes withdrawals away that were paid: what the chain has paid is booked all the same.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { WithdrawalState } from '@bursar/contracts/wallet'
import { putMetaValue } from '@bursar/store'
import { until } from '@bursar/testing'
import { authoriseExecution } from '../src/portfolios/authorise-execution'
import { movementWorkers, pullMovements, retryWaiting } from '../src/portfolios/movements.consumer'
import { forgottenWorker } from '../src/reconciliation/forgotten-payments'
import { recheckOrder } from '../src/reconciliation/reconcile-orders'
import { balance, customer, eachWithCustomer, hash, it, look, paid } from './forgotten-bench'
import type { MovementBench } from './movement-bench'
import { newAccount, newCustomer } from './owners'
import { balanceOf, failIt, make, makeAsset, pay, screen, withdrawalOf } from './steps'

let { ledger, owners, chain, wallet, clock, moved, deliver, entries, waiting } = {} as MovementBench
eachWithCustomer()
beforeEach(() => {
  ;({ ledger, owners, chain, wallet, clock, moved, deliver, entries, waiting } = it)
})

const stuck = async () =>
  (await ledger.ask<{ reason: string | null }[]>('GET', '/transactions/stuck')).body.map(({ reason }) => reason)
const alarms = async () =>
  (await ledger.events()).flatMap(({ data }) => {
    const { event_type, metadata } = data as { event_type?: string; metadata?: { message: string; reason: string } }
    return event_type === 'ERROR_OCCURRED' && metadata ? [metadata.message] : []
  })

describe('a payment of a withdrawal that the ledger does not know', () => {
  test('is booked for the account of its order, once, and told', async () => {
    const { txHash, orderId } = paid()
    await look()
    expect(await balance()).toEqual(['60', '0', '60'])
    expect(await entries()).toMatchObject([
      { kind: 'execution', debit: `available:${customer.accountId}`, credit: 'world:ethereum', amount: 40000000n },
    ])
    expect(chain.asked).toEqual([{ id: orderId as string, network: 'ethereum', txHash }])
    await look()
    chain.epoch += 1
    await look()
    expect(await entries()).toHaveLength(1)
    expect(chain.asked).toHaveLength(1)
    expect(await alarms()).toEqual(['A payment is booked by the chain'])
  })

  test('is booked once also when the chain tells of it by itself, before or after', async () => {
    const [first, second] = [paid(), paid({ amount: '5000000' })]
    await deliver({ ...first, id: Bun.randomUUIDv7() })
    await look()
    await deliver({ ...second, id: Bun.randomUUIDv7() })
    chain.listed = [first, second]
    await pullMovements(ledger.deps)
    expect(await balance()).toEqual(['55', '0', '55'])
    expect(await entries()).toHaveLength(2)
  })

  test('is seen by the worker, over pages of both services', async () => {
    for (let i = 0; i < 5; i++) paid({ amount: '1000000' })
    const lost = paid({ amount: '2000000' })
    wallet.records.pop()
    const { orderId: id, txHash } = lost
    if (id) chain.sends.set(id, { id, status: 'confirmed', txHash, reason: null })
    const workers = [...movementWorkers(ledger.deps), forgottenWorker(ledger.deps)]
    await until(async () => (await entries()).length === 6)
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(await balance()).toEqual(['93', '0', '93'])
  })

  test('is listed among the movements of its account, and fees of its address are not', async () => {
    const { orderId, txHash } = paid()
    await look()
    await deliver(moved('fee', '1', { accountId: customer.accountId, contractAddress: null, decimals: 18 }))
    const { status, body } = await ledger.ask<object[]>('GET', `/balances/account/${customer.accountId}/movements`)
    expect([status, body]).toEqual([
      200,
      [expect.objectContaining({ kind: 'out', txHash, executionId: orderId, amount: '40' })],
    ])
  })

  test('its fee is the platform’s, once, whether it is told before or after', async () => {
    const native = await makeAsset(ledger, { address: 'native', decimalPlaces: 18 })
    for (const isFirst of [true, false]) {
      const { orderId, txHash } = paid({ amount: '1000000' })
      const fee = { accountId: customer.accountId, contractAddress: null, decimals: 18, orderId, txHash }
      if (isFirst) await deliver(moved('fee', '3', fee))
      await look()
      await deliver(moved('fee', '3', fee))
    }
    const fees = (await entries()).filter(({ assetId }) => assetId === native)
    expect(fees).toMatchObject([
      { kind: 'fee', debit: 'fees:ethereum', amount: 3n },
      { kind: 'fee', debit: 'fees:ethereum', amount: 3n },
    ])
    expect(await balance()).toEqual(['98', '0', '98'])
  })

  test('of more than is available: the rest waits, and so do its withdrawals', async () => {
    paid({ amount: '130000000' })
    await look()
    expect(await balance()).toEqual(['0', '0', '0'])
    await pay(ledger, customer, '50')
    const { id } = await make(ledger, 'withdrawal', withdrawalOf(customer, '1'))
    await screen(ledger, id, true)
    const worker = ledger.deps.execution.start()
    const short = await until(async () => (await stuck())[0])
    await worker.stop()
    expect(short).toMatch(/^Less is on ethereum than the ledger holds for account .*: 30 USD\d+ have left/)
    await failIt(ledger, id, 'no')
    await retryWaiting(ledger.deps)
    expect(await balance()).toEqual(['20', '0', '20'])
  })

  test('of an account that no event has brought yet: its owner is asked', async () => {
    const person = newCustomer()
    const account = newAccount({ customerId: person.id })
    owners.putCustomer(person)
    owners.putAccount(account)
    paid({}, account.id)
    await look()
    expect(await alarms()).toContain('A payment is booked by the chain')
    expect(await waiting()).toEqual(['Less is on the chain than the ledger holds'])
    await pay(ledger, { ...customer, accountId: account.id }, '50')
    await retryWaiting(ledger.deps)
    expect(await balanceOf(ledger, { ...customer, accountId: account.id })).toEqual(['10', '0', '10'])
  })

  test('whose order nobody knows waits with words, and is booked once the wallet service knows it again', async () => {
    const movement = paid({}, null)
    const { orderId: id, txHash } = movement
    await look()
    expect(await waiting()).toEqual([expect.stringContaining('Nobody knows whose payment it was')])
    expect(await balance()).toEqual(['100', '0', '100'])
    if (id) {
      const { accountId } = customer
      wallet.orders.set(id, { id, kind: 'withdrawal', accountId, network: 'ethereum', status: 'confirmed', txHash })
    }
    await retryWaiting(ledger.deps)
    expect([await waiting(), await balance()]).toEqual([[], ['60', '0', '60']])
  })

  test('that the chain cannot prove yet is asked again, also after a restart; one of an execution is none', async () => {
    const movement = paid()
    const id = movement.orderId ?? ''
    chain.paid.delete(id)
    const execution = Bun.randomUUIDv7()
    chain.sends.set(execution, { id: execution, status: 'confirmed', txHash: hash(), reason: null })
    wallet.orders.set(execution, {
      ...(wallet.orders.get(id) as never as object),
      id: execution,
      kind: 'execution',
    } as never)
    await look()
    chain.sends.clear()
    wallet.records = []
    await look()
    expect(await balance()).toEqual(['100', '0', '100'])
    expect(chain.asked.map((each) => each.id)).toEqual([id, execution, id])
    chain.paid.set(id, movement)
    await look()
    expect(await balance()).toEqual(['60', '0', '60'])
  })

  test('is no execution of a portfolio that the ledger has authorised: nobody is asked about that', async () => {
    const id = Bun.randomUUIDv7()
    const { accountId } = it.bench
    const asked = { id, accountId, network: 'ethereum', takes: [], isOpaque: false }
    expect(await ledger.store.commit((tx) => authoriseExecution(tx, asked, clock.now))).toBeNull()
    chain.sends.set(id, { id, status: 'confirmed', txHash: hash(), reason: null })
    await look()
    expect(chain.asked).toEqual([])
  })

  test('is seen whatever was looked at before a restore of the wallet service, whose versions begin anew', async () => {
    chain.pageSize = 500
    const failed = (): WithdrawalState => ({ id: Bun.randomUUIDv7(), status: 'failed', txHash: null, reason: 'no' })
    wallet.records = Array.from({ length: 300 }, failed)
    await look()
    wallet.records = []
    paid()
    await look()
    expect(await entries()).toEqual([])
    chain.epoch += 1
    await look()
    expect(await entries()).toHaveLength(1)
  })

  test('while a thousand cannot be proved no more are looked for; then it goes on from there', async () => {
    const ids = Array.from({ length: 1000 }, () => ({ id: Bun.randomUUIDv7(), txHash: hash(), since: 0 }))
    clock.now = new Date(1000)
    await ledger.store.commit((tx) => putMetaValue(tx, 'unproved_payments', JSON.stringify(ids)))
    paid()
    await look()
    expect(await entries()).toEqual([])
    clock.now = new Date('2026-03-01T12:00:00.000Z')
    await look()
    expect(await entries()).toHaveLength(1)
  })

  test('nothing is booked while the books are closed, or the wallet service is away', async () => {
    paid()
    const { books } = ledger.deps
    const { areClosed } = books
    Object.assign(books, { areClosed: () => true })
    await look()
    Object.assign(books, { areClosed })
    wallet.isAway = true
    await expect(look()).rejects.toThrow()
    expect(await entries()).toEqual([])
    wallet.isAway = false
    await look()
    expect(await entries()).toHaveLength(1)
  })

  test('is no difference of the reconciliation any more', async () => {
    const { orderId, txHash } = paid()
    const sides = { ledger: ledger.store, client: ledger.deps.client }
    const id = orderId ?? ''
    const record: WithdrawalState = { id, status: 'confirmed', txHash, reason: null }
    const recheck = () => recheckOrder({ ...sides, client: { ...sides.client, find: async () => record as never } }, id)
    expect(await recheck()).toMatchObject({ what: expect.stringContaining('not known here') })
    await look()
    expect(await recheck()).toBeNull()
  })
})
