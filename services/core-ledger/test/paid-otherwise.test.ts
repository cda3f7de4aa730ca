// Payments of withdrawals that the ledger has, and has otherwise than they were paid.
import { beforeEach, describe, expect, test } from 'bun:test'
import { wakeRecheck } from '../src/movements/work'
import { failedWithdrawals } from '../src/movements/work.table'
import { retryWaiting } from '../src/portfolios/movements.consumer'
import { createRecheck } from '../src/withdrawals/recheck'
import { balance, customer, eachWithCustomer, hash, it, look, paid } from './forgotten-bench'
import type { MovementBench } from './movement-bench'
import { balanceOf, complete, failIt, make, outside, pay, screen, withdrawalOf } from './steps'

let { ledger, chain, clock, moved, deliver, entries, waiting } = {} as MovementBench
eachWithCustomer()
beforeEach(() => {
  ;({ ledger, chain, clock, moved, deliver, entries, waiting } = it)
})

describe('a payment of a withdrawal that the ledger has', () => {
  async function withdrawal(until: 'PENDING' | 'FROZEN' | 'APPROVED') {
    const { id } = await make(ledger, 'withdrawal', withdrawalOf(customer, '40'))
    if (until !== 'PENDING') await screen(ledger, id, until === 'APPROVED')
    return id
  }

  test('COMPLETED by it: it is already posted', async () => {
    const id = await withdrawal('APPROVED')
    const movement = paid({ id })
    await complete(ledger, id, movement.txHash)
    await look()
    expect(chain.asked).toEqual([])
    await deliver(movement)
    await deliver({ ...movement, orderId: null })
    expect([await balance(), await waiting()]).toEqual([['60', '0', '60'], []])
  })

  test('COMPLETED by another one: it was paid twice, and both are posted', async () => {
    const id = await withdrawal('APPROVED')
    await complete(ledger, id, hash())
    paid({ id })
    await look()
    expect(await balance()).toEqual(['20', '0', '20'])
  })

  test.each(['PENDING', 'FROZEN', 'APPROVED'] as const)('%s: it waits, and ends with that', async (status) => {
    const id = await withdrawal(status)
    const movement = paid({ id })
    if (status === 'APPROVED') await deliver(movement)
    else await look()
    expect(await waiting()).toEqual([expect.stringContaining(`withdrawal ${id}, which is ${status}`)])
    expect(await balance()).toEqual(['60', '40', '100'])
    if (status === 'PENDING') await screen(ledger, id, true)
    if (status === 'FROZEN') await ledger.ask('POST', `/transactions/${id}/approve-frozen-withdrawal`, {})
    await complete(ledger, id, movement.txHash)
    await retryWaiting(ledger.deps)
    expect([await balance(), await waiting(), await entries()]).toEqual([['60', '0', '60'], [], []])
  })

  test('REJECTED after a restore to before its approval: it is posted', async () => {
    const id = await withdrawal('FROZEN')
    // Whose it is says this ledger, whatever the wallet service has forgotten.
    paid({ id }, null)
    await look()
    await ledger.ask('POST', `/transactions/${id}/reject-frozen-withdrawal`, {})
    await retryWaiting(ledger.deps)
    expect([await balance(), await waiting()]).toEqual([['60', '0', '60'], []])
    expect(await entries()).toHaveLength(1)
  })

  test('FAILED: it is posted, and the alarm ends', async () => {
    const id = await withdrawal('APPROVED')
    await failIt(ledger, id, 'no')
    expect(await ledger.store.read.select().from(failedWithdrawals)).toHaveLength(1)
    paid({ id }, null)
    await look()
    expect(await balance()).toEqual(['60', '0', '60'])
    const alarms = () => ledger.store.read.select().from(failedWithdrawals)
    const askAgain = async () => {
      await ledger.store.commit((tx) => wakeRecheck(tx, [id], clock.now))
      await createRecheck().run(ledger.deps)
    }
    expect(await alarms()).toEqual([])
    await askAgain()
    expect(await alarms()).toEqual([])
    // A restored wallet service would carry it out once more.
    it.wallet.records.push({ id, status: 'accepted', txHash: null, reason: null })
    await askAgain()
    expect(await alarms()).toMatchObject([{ contradiction: 'accepted' }])
  })
})

test('a payment from one of our addresses, of no order that anybody names, waits unless its hash is a withdrawal’s', async () => {
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(customer, '40'))
  await screen(ledger, id, true)
  const txHash = hash()
  await complete(ledger, id, txHash)
  const other = await ledger.account()
  await deliver(moved('out', '40000000', { txHash, accountId: other.id }))
  expect(await waiting()).toEqual([])
  await pay(ledger, { ...customer, accountId: other.id }, '9')
  await deliver(moved('out', '7000000', { accountId: other.id, address: outside }))
  await deliver(moved('out', '8000000', { accountId: other.id, address: outside, orderId: Bun.randomUUIDv7() }))
  await retryWaiting(ledger.deps)
  const nobodys = expect.stringContaining('Nobody knows whose payment')
  expect(await waiting()).toEqual([nobodys, nobodys])
  expect(await balanceOf(ledger, { ...customer, accountId: other.id })).toEqual(['9', '0', '9'])
  expect([await balance(), clock.now]).toEqual([['60', '0', '60'], expect.any(Date)])
})
