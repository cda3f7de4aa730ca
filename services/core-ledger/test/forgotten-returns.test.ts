// A restore of the ledger's database takes returns of deposits away that were paid: their money was in suspense, and
// never in an account.
import { describe, expect, test } from 'bun:test'
import { indexNext } from '../src/movements/index-keys'
import { retryWaiting } from '../src/portfolios/movements.consumer'
import { owedOnChains } from '../src/reconciliation/owed'
import { reconcileOrders } from '../src/reconciliation/reconcile-orders'
import { balance, customer, eachWithCustomer, it, look, paid } from './forgotten-bench'
import {
  balanceOf,
  complete,
  depositOf,
  getTransaction,
  make,
  makeAsset,
  pay,
  rejectedDeposit,
  screen,
  type Tx,
} from './steps'

eachWithCustomer()

const suspense = async () => [...(await owedOnChains(it.ledger.store.read)).values()].map((owed) => owed.suspense)
const post = (id: string, way: 'release' | 'return') =>
  it.ledger.ask<Tx>('POST', `/transactions/${id}/${way}`, { reason: 'so' })
const entriesOf = async (id: string) =>
  (await it.ledger.ask<{ kind: string }[]>('GET', `/transactions/${id}/entries`)).body.map(({ kind }) => kind)
const differences = async () =>
  (await reconcileOrders({ ledger: it.ledger.store, client: it.ledger.deps.client })).differences

describe('a paid return that the ledger does not know', () => {
  test.each(['is', 'is not'])('is recorded again, and once, where its address %s indexed yet', async (is) => {
    const deposit = await rejectedDeposit(it.ledger, customer, '7')
    if (is === 'is') await indexNext(it.ledger.store)
    const payment = paid({ amount: '7000000' })
    const { orderId, txHash } = payment
    for (const _ of ['first', 'again']) {
      await look()
      it.chain.epoch += 1
      await it.deliver({ ...payment, id: Bun.randomUUIDv7() })
    }
    expect(await getTransaction(it.ledger, orderId ?? '')).toMatchObject({
      type: 'WITHDRAWAL',
      status: 'COMPLETED',
      txHash,
    })
    expect([await balance(), await suspense()]).toEqual([['100', '0', '100'], [0n]])
    expect(await entriesOf(orderId ?? '')).toEqual(['return-hold', 'return'])
    for (const way of ['release', 'return'] as const) expect((await post(deposit, way)).status).toBe(400)
    expect([await differences(), await it.waiting()]).toEqual([[], []])
  })

  test.each(['rejected', 'credited'])('waits for a deposit that is decided only later, and is %s', async (how) => {
    const { id } = await make(it.ledger, 'deposit', depositOf(customer, '7'))
    paid({ amount: '7000000' })
    await look()
    expect(await it.waiting()).toEqual([
      `It may have returned deposit ${id}, which is PENDING here: it waits until that has ended`,
    ])
    await screen(it.ledger, id, how === 'credited')
    if (how === 'credited') await complete(it.ledger, id)
    else await it.ledger.ask('POST', `/transactions/${id}/reject-frozen-deposit`)
    await retryWaiting(it.ledger.deps)
    expect([await balance(), await suspense(), await it.waiting()]).toEqual([['100', '0', '100'], [0n], []])
  })

  test('and another of the same amount: that one the account has paid, and so each account', async () => {
    const deposit = await rejectedDeposit(it.ledger, customer, '7')
    for (let i = 0; i < 2; i++) paid({ amount: '7000000' })
    await look()
    expect([await balance(), await suspense()]).toEqual([['93', '0', '93'], [0n]])
    const other = { ...customer, accountId: (await it.ledger.account()).id }
    await pay(it.ledger, other, '10')
    paid({ amount: '7000000' }, other.accountId)
    await rejectedDeposit(it.ledger, customer, '7')
    await look()
    expect([await balanceOf(it.ledger, other), await suspense()]).toEqual([['3', '0', '3'], [7_000_000n]])
    expect((await post(deposit, 'return')).status).toBe(400)
  })

  test.each([
    ['amount', { amount: '7000001' }, {}],
    ['address', { amount: '7000000' }, { counterparty: `0x${'cd'.repeat(20)}` }],
  ])('is of another deposit with another %s: the account has paid it', async (_, order, fields) => {
    await rejectedDeposit(it.ledger, customer, '7')
    Object.assign(paid(order), fields)
    await look()
    expect([(await balance())[0]?.slice(0, 2), await suspense()]).toEqual([
      order.amount === '7000000' ? '93' : '92',
      [7_000_000n],
    ])
  })

  test('is of no deposit of another asset: the account has paid it', async () => {
    await rejectedDeposit(it.ledger, { ...customer, assetId: await makeAsset(it.ledger) }, '7')
    paid({ amount: '7000000' })
    await look()
    expect([(await balance())[0], (await suspense()).toSorted()]).toEqual(['93', [0n, 7_000_000n]])
  })
})
