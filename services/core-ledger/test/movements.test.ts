import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { ConfirmedMovement } from '@bursar/contracts/blockchain'
import { eq } from '@bursar/store'
import { until } from '@bursar/testing'
import { systemBalances } from '../src/ledger/balances.table'
import { listShortfalls } from '../src/movements/shortfalls'
import { movementWorkers, pullMovements, retryWaiting } from '../src/portfolios/movements.consumer'
import { foldAll } from '../src/reporting/fold-sums'
import type { PortfolioOverview } from '../src/reporting/overview.model'
import { contract, type MovementBench, openMovementBench } from './movement-bench'
import { newAccount, newCustomer } from './owners'
import { openShortfall } from './shortfalls'
import { type Bench, balanceOf, failIt, make, makeAsset, pay, screen, withdrawalOf } from './steps'

let it: MovementBench
let { ledger, owners, bench, chain, clock, moved, deliver, balance, shortfall, entries, waiting } = {} as MovementBench
beforeEach(async () => {
  it = await openMovementBench()
  ;({ ledger, owners, bench, chain, clock, moved, deliver, balance, shortfall, entries, waiting } = it)
})
afterEach(() => it.close())

/** The reason and amount of each line in the tracker about what is not booked. */
const alarms = async () =>
  (await ledger.events()).flatMap(({ data }) => {
    const { event_type, metadata } = data as { event_type?: string; metadata?: { reason: string; amount: string } }
    return event_type === 'ERROR_OCCURRED' && metadata ? [[metadata.reason, metadata.amount]] : []
  })
const system = async (name: string) => {
  await foldAll(ledger.store)
  const rows = await ledger.store.read.select().from(systemBalances).where(eq(systemBalances.name, name))
  return rows.map(({ amount }) => amount)
}

describe('a movement at the address of a portfolio', () => {
  test('out and in are entries of the journal, and the balance follows', async () => {
    await deliver(moved('out', '30000000'))
    expect(await balance()).toEqual(['70', '0', '70'])
    await deliver(moved('in', '5000000', { contractAddress: contract.toLowerCase() }))
    expect(await balance()).toEqual(['75', '0', '75'])
    expect(await entries()).toMatchObject([
      { kind: 'execution', amount: 30000000n, debit: `available:${bench.accountId}`, credit: 'world:ethereum' },
      { kind: 'execution', amount: 5000000n, debit: 'world:ethereum', credit: `available:${bench.accountId}` },
    ])
    expect(await shortfall()).toBeNull()
  })

  test('is posted once, by any way, also after the blockchain service was restored with other ids', async () => {
    const out = moved('out', '30000000')
    await deliver(out)
    await deliver(out)
    await deliver({ ...out, id: Bun.randomUUIDv7(), network: 'Ethereum', txHash: out.txHash.slice(2).toUpperCase() })
    chain.listed = [out]
    await pullMovements(ledger.deps)
    chain.epoch = 8
    chain.listed = [{ ...out, id: Bun.randomUUIDv7() }, moved('in', '1000000')]
    await pullMovements(ledger.deps)
    expect(await balance()).toEqual(['71', '0', '71'])
    expect(await entries()).toHaveLength(2)
  })

  test('several of one transaction, in several places, are several', async () => {
    const out = moved('out', '1000000')
    await deliver(out)
    await deliver({ ...out, place: 'out:2' })
    await deliver({ ...out, kind: 'in', place: 'in:1' })
    expect(await balance()).toEqual(['99', '0', '99'])
  })

  test('whose event was lost is fetched', async () => {
    chain.listed = Array.from({ length: 5 }, () => moved('out', '1000000'))
    const workers = movementWorkers(ledger.deps)
    await until(async () => (await entries()).length === 5)
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(await balance()).toEqual(['95', '0', '95'])
  })

  test('the overview and its days follow the holdings', async () => {
    await deliver(moved('out', '30000000'))
    await deliver(moved('in', '5000000'))
    const path = '/api/v1/core/overview/digital-assets/portfolio?from=2026-02-28&to=2026-03-01'
    const { status, body } = await ledger.ask<PortfolioOverview>('GET', path)
    expect([status, body.totals.balances.amount, body.totals.transfers.count]).toEqual([200, '75', 0])
    // The deposit is of the day that it is, and the movements of this clock's.
    const [before, after] = body.series.map(({ balances }) => Number(balances.amount))
    expect((after ?? 0) - (before ?? 0)).toBe(-25)
  })
})

describe('fees', () => {
  let coin: Bench
  beforeEach(async () => {
    coin = { ...bench, assetId: await makeAsset(ledger, { address: 'native', decimalPlaces: 18 }) }
  })
  const fee = (amount: string, fields: Partial<ConfirmedMovement> = {}) =>
    moved('fee', amount, { contractAddress: null, decimals: 18, ...fields })

  test('of a portfolio’s address are its own', async () => {
    await pay(ledger, coin, '1')
    await deliver(fee('400000000000000000'))
    expect(await balanceOf(ledger, coin)).toEqual(['0.6', '0', '0.6'])
    expect(await entries()).toMatchObject([{ kind: 'execution', debit: `available:${coin.accountId}` }])
  })

  test('of all other addresses are the platform’s', async () => {
    const { id } = await ledger.account()
    await deliver(fee('3', { accountId: id }))
    await deliver(fee('4', { accountId: null }))
    expect(await entries()).toMatchObject([
      { kind: 'fee', debit: 'fees:ethereum', credit: 'world:ethereum', amount: 3n },
      { kind: 'fee', debit: 'fees:ethereum', credit: 'world:ethereum', amount: 4n },
    ])
    expect(await system('fees:ethereum')).toEqual([-7n])
    expect(await balanceOf(ledger, { ...coin, accountId: id })).toEqual([])
  })
})

describe('more than is available', () => {
  test('takes what is available, and withdrawals wait until the rest has arrived', async () => {
    await deliver(moved('out', '130000000'))
    expect(await balance()).toEqual(['0', '0', '0'])
    expect(await shortfall()).toMatch(
      /^Less is on ethereum than the ledger holds for account .*: 30 USD\d+ have left 0x742d.* \(transaction 0x/,
    )
    await deliver(moved('in', '20000000'))
    expect(await balance()).toEqual(['0', '0', '0'])
    expect(await shortfall()).toMatch(/: 10 USD\d+ have left/)
    expect(await alarms()).toEqual([['Less is on the chain than the ledger holds', '30']])
    await deliver(moved('in', '25000000'))
    expect(await balance()).toEqual(['15', '0', '15'])
    expect(await shortfall()).toBeNull()
    expect((await entries()).map(({ debit, amount }) => [debit.slice(0, 5), amount])).toEqual([
      ['avail', 100000000n],
      ['world', 20000000n],
      ['avail', 20000000n],
      ['world', 25000000n],
      ['avail', 10000000n],
    ])
  })

  test('never takes held amounts', async () => {
    const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, '60'))
    await deliver(moved('out', '50000000'))
    expect(await balance()).toEqual(['0', '60', '60'])
    expect(await shortfall()).toMatch(/: 10 USD/)
    await screen(ledger, id, true)
    await failIt(ledger, id, 'no')
    await retryWaiting(ledger.deps)
    expect(await balance()).toEqual(['50', '0', '50'])
    expect(await shortfall()).toBeNull()
  })

  test('a deposit covers it as well', async () => {
    await deliver(moved('out', '130000000'))
    await pay(ledger, bench, '50')
    await retryWaiting(ledger.deps)
    expect(await balance()).toEqual(['20', '0', '20'])
    expect(await shortfall()).toBeNull()
  })

  test('the same movement again takes nothing more, whole or in parts', async () => {
    const out = moved('out', '130000000')
    await deliver(out)
    await deliver(out)
    await deliver(moved('in', '60000000'))
    await deliver(out)
    expect(await balance()).toEqual(['30', '0', '30'])
  })

  test('a shortfall of another cause for the same account and asset is not closed with it', async () => {
    const found = {
      accountId: bench.accountId,
      assetId: bench.assetId,
      reason: 'A deposit was reversed',
      since: clock.now,
    }
    await ledger.store.commit((tx) => openShortfall(tx, found))
    await deliver(moved('out', '130000000'))
    expect(await listShortfalls(ledger.store.read)).toHaveLength(2)
    await deliver(moved('in', '60000000'))
    expect(await shortfall()).toBe('A deposit was reversed')
  })
})

describe('movements that cannot be posted yet', () => {
  test('an asset unknown to the ledger: it waits, and is posted when the asset is created', async () => {
    const unknown = `0x${'cd'.repeat(20)}`
    await deliver(moved('in', '7000000', { contractAddress: unknown }))
    await retryWaiting(ledger.deps)
    expect(await waiting()).toEqual(['No asset has this network and contract'])
    expect(await alarms()).toEqual([['No asset has this network and contract', '7']])
    const assetId = await makeAsset(ledger, { address: unknown })
    await retryWaiting(ledger.deps)
    expect(await waiting()).toEqual([])
    expect(await balanceOf(ledger, { ...bench, assetId })).toEqual(['7', '0', '7'])
    const gone = await ledger.ask('DELETE', `/assets/${assetId}`)
    expect(gone.status).toBe(400)
  })

  test('an account without an event yet: its owner is asked', async () => {
    const customer = newCustomer()
    const account = newAccount({ type: 'PORTFOLIO', customerId: customer.id })
    await deliver(moved('in', '7000000', { accountId: account.id }))
    expect(await waiting()).toEqual([`Account ${account.id} is not known`])
    owners.putCustomer(customer)
    owners.putAccount(account)
    await retryWaiting(ledger.deps)
    expect(await balanceOf(ledger, { ...bench, accountId: account.id })).toEqual(['7', '0', '7'])
  })

  test.each([
    ['other decimals', { decimals: 18 }, /^USD\d+ has 6 decimals here, 18 on its chain$/],
    ['no amount', { amount: '0' }, /^The amount is not above 0$/],
  ])('%s', async (_, fields, reason) => {
    await deliver(moved('in', '1', fields))
    expect(await waiting()).toEqual([expect.stringMatching(reason)])
    expect(await balance()).toEqual(['100', '0', '100'])
  })

  test('coins at an account that is not a portfolio', async () => {
    const { id } = await ledger.account()
    await deliver(moved('in', '1', { accountId: id }))
    expect(await waiting()).toEqual([`Account ${id} is no portfolio account`])
  })
})

test('while the books are closed nothing is posted; it is fetched afterwards', async () => {
  const { books } = ledger.deps
  const { areClosed } = books
  Object.assign(books, { areClosed: () => true })
  const out = moved('out', '1000000')
  chain.listed = [out]
  await deliver(out)
  await pullMovements(ledger.deps)
  expect(await entries()).toEqual([])
  Object.assign(books, { areClosed })
  await pullMovements(ledger.deps)
  expect(await entries()).toHaveLength(1)
})
