import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type ConfirmedMovement, MovementConfirmed } from '@bursar/contracts/blockchain'
import { ExecutionChanged } from '@bursar/contracts/wallet'
import { eq } from '@bursar/store'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { auditAll } from '../src/bookkeeping/audit'
import { systemBalances } from '../src/bookkeeping/balances.table'
import { journal } from '../src/bookkeeping/journal.table'
import { sealJournal } from '../src/bookkeeping/seal-journal'
import { listShortfalls, openShortfall, shortfallOf } from '../src/books/shortfalls'
import { movementWorkers, pullMovements, retryWaiting } from '../src/executions/movements.consumer'
import { movements } from '../src/executions/movements.table'
import type { PortfolioOverview } from '../src/overview/overview.model'
import { type Ledger, openLedger } from './harness'
import { newAccount, newCustomer, type Owners, testOwners } from './owners'
import { type Bench, balanceOf, failIt, make, makeAsset, outside, pay, screen, withdrawalOf } from './steps'

let owners: Owners
let chain: LocalServer
let ledger: Ledger
/** A portfolio with 100 of an asset. */
let bench: Bench
/** What the blockchain service lists, and in which run. */
let listed: ConfirmedMovement[]
let epoch: number
let now: Date
const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
beforeEach(async () => {
  listed = []
  epoch = 7
  now = new Date('2026-03-01T12:00:00.000Z')
  owners = testOwners()
  chain = localServer((request) => {
    const after = Number(new URL(request.url).searchParams.get('after'))
    const items = listed.map((record, i) => ({ version: i + 1, record })).filter(({ version }) => version > after)
    return Response.json({ epoch, items: items.slice(0, 2), more: items.length > 2 })
  })
  ledger = await openLedger({ owners, urls: { blockchain: chain.url }, tuning: { now: () => now } })
  const assetId = await makeAsset(ledger, { address: contract })
  const { id: accountId, customerId } = await ledger.account({ type: 'PORTFOLIO' })
  bench = { assetId, accountId, customerId }
  await pay(ledger, bench, '100')
})
afterEach(async () => {
  await sealJournal(ledger.store)
  await auditAll(ledger.store.read)
  await ledger.close()
  await Promise.all([chain.stop(), owners.stop()])
})

const moved = (kind: ConfirmedMovement['kind'], amount: string, fields: Partial<ConfirmedMovement> = {}) => ({
  id: Bun.randomUUIDv7(),
  kind,
  network: 'ethereum',
  txHash: `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`,
  place: kind === 'fee' ? 'fee' : `${kind}:1`,
  accountId: bench.accountId,
  address: outside,
  counterparty: kind === 'fee' ? null : outside,
  contractAddress: contract,
  amount,
  decimals: 6,
  orderId: null,
  confirmedAt: '2026-03-01T11:59:00.000Z',
  ...fields,
})
const deliver = (data: ConfirmedMovement) =>
  ledger.consume({
    id: Bun.randomUUIDv7(),
    name: MovementConfirmed.name,
    type: MovementConfirmed.type,
    timestamp: data.confirmedAt,
    requestId: null,
    service: 'blockchain',
    data,
  })
const balance = () => balanceOf(ledger, bench)
const shortfall = async (assetId = bench.assetId) =>
  (await shortfallOf(ledger.store.read, bench.accountId, assetId))?.reason ?? null
const entries = async () =>
  (await ledger.store.read.select().from(journal)).filter(({ kind }) => kind === 'execution' || kind === 'fee')
const waiting = async () => (await ledger.store.read.select().from(movements)).flatMap(({ waitsFor }) => waitsFor ?? [])
const system = async (name: string) =>
  (await ledger.store.read.select().from(systemBalances).where(eq(systemBalances.name, name))).map(
    ({ amount }) => amount,
  )

describe('a movement at the address of a portfolio', () => {
  test('out and in are entries of the journal, and its balance follows', async () => {
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

  test('is booked once, by whatever way it comes, and after the blockchain service was restored with other ids', async () => {
    const out = moved('out', '30000000')
    await deliver(out)
    await deliver(out)
    await deliver({ ...out, id: Bun.randomUUIDv7(), network: 'Ethereum', txHash: out.txHash.slice(2).toUpperCase() })
    listed = [out]
    await pullMovements(ledger.deps)
    epoch = 8
    listed = [{ ...out, id: Bun.randomUUIDv7() }, moved('in', '1000000')]
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

  test('whose event was lost is pulled', async () => {
    listed = Array.from({ length: 5 }, () => moved('out', '1000000'))
    const workers = movementWorkers(ledger.deps)
    await until(async () => (await entries()).length === 5)
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(await balance()).toEqual(['95', '0', '95'])
  })

  test('the overview and its days follow what is held', async () => {
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
  test('takes what there is, and withdrawals wait until the rest has come', async () => {
    await deliver(moved('out', '130000000'))
    expect(await balance()).toEqual(['0', '0', '0'])
    expect(await shortfall()).toMatch(
      /^Less is on ethereum than the ledger holds for account .*: 30 USD\d+ have left 0x742d.* \(transaction 0x/,
    )
    await deliver(moved('in', '20000000'))
    expect(await balance()).toEqual(['0', '0', '0'])
    expect(await shortfall()).toMatch(/: 10 USD\d+ have left/)
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

  test('never takes what is held', async () => {
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

  test('a deposit makes it whole as well', async () => {
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

  test('another’s shortfall of the same account and asset is not closed with it', async () => {
    const found = { accountId: bench.accountId, assetId: bench.assetId, reason: 'A deposit was reversed', since: now }
    await ledger.store.commit((tx) => openShortfall(tx, found))
    await deliver(moved('out', '130000000'))
    expect(await listShortfalls(ledger.store.read)).toHaveLength(2)
    await deliver(moved('in', '60000000'))
    expect(await shortfall()).toBe('A deposit was reversed')
  })
})

describe('what cannot be booked yet', () => {
  test('an asset that the ledger does not know: it waits, and is booked when the asset comes', async () => {
    const unknown = `0x${'cd'.repeat(20)}`
    await deliver(moved('in', '7000000', { contractAddress: unknown }))
    await retryWaiting(ledger.deps)
    expect(await waiting()).toEqual(['No asset has this network and contract'])
    const assetId = await makeAsset(ledger, { address: unknown })
    await retryWaiting(ledger.deps)
    expect(await waiting()).toEqual([])
    expect(await balanceOf(ledger, { ...bench, assetId })).toEqual(['7', '0', '7'])
    const gone = await ledger.ask('DELETE', `/assets/${assetId}`)
    expect(gone.status).toBe(400)
  })

  test('an account that no event has brought yet: its owner is asked', async () => {
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

  test('coins at an account that is no portfolio', async () => {
    const { id } = await ledger.account()
    await deliver(moved('in', '1', { accountId: id }))
    expect(await waiting()).toEqual([`Account ${id} is no portfolio account`])
  })
})

describe('what an authorised execution takes', () => {
  const taken = async (amount: string, id = Bun.randomUUIDv7()) => {
    const takes = [{ contractAddress: contract, amount }]
    const body = { id, accountId: bench.accountId, network: 'ethereum', takes, isOpaque: false }
    const path = '/internal/authorisations/execution'
    const answer = await ledger.ask<{ reason: string | null }>('POST', path, body, await ledger.asService('wallet'))
    return { id, reason: answer.body.reason }
  }
  const confirm = (id: string) =>
    ledger.consume({
      id: Bun.randomUUIDv7(),
      name: ExecutionChanged.name,
      type: ExecutionChanged.type,
      timestamp: '2026-01-01T00:00:00.000Z',
      requestId: null,
      service: 'wallet',
      data: { id, status: 'confirmed', txHash: null, reason: null, accountId: bench.accountId, network: 'ethereum' },
    })

  test('counts until it is booked, and not twice', async () => {
    const { id, reason } = await taken('60000000')
    expect(reason).toBeNull()
    await confirm(id)
    expect((await taken('41000000')).reason).toMatch(/40 USD\d+ are available/)
    await deliver(moved('out', '60000000', { orderId: id }))
    expect((await taken('40000000')).reason).toBeNull()
  })

  test('what it did not take is free again once all its movements must be here', async () => {
    const { id } = await taken('60000000')
    await confirm(id)
    await deliver(moved('out', '10000000', { orderId: id }))
    expect((await taken('41000000')).reason).toMatch(/40 USD\d+ are available/)
    await pullMovements(ledger.deps)
    expect((await taken('41000000')).reason).toMatch(/40 USD\d+ are available/)
    now = new Date(now.getTime() + 60_001)
    await pullMovements(ledger.deps)
    expect((await taken('90000000')).reason).toBeNull()
  })

  test('one that is not confirmed counts, however often movements are pulled', async () => {
    await taken('60000000')
    now = new Date(now.getTime() + 3_600_000)
    await pullMovements(ledger.deps)
    expect((await taken('41000000')).reason).toMatch(/40 USD\d+ are available/)
  })
})

describe('the audit', () => {
  const tampered = async (change: () => Promise<unknown>) => {
    const { store } = ledger
    await deliver(moved('out', '30000000'))
    await sealJournal(store)
    await change()
    const found = await auditAll(store.read).then(
      () => null,
      (error: Error) => error.message,
    )
    return found
  }

  test.each([
    ['the amount', { amount: 1n }],
    ['the account', { accountId: 'x' }],
    ['the hash', { txHash: '0x12' }],
    ['the address', { address: 'x' }],
    ['the time of its booking', { bookedAt: new Date(0) }],
  ])('notices a movement with %s changed', async (_, fields) => {
    const { store } = ledger
    let before: (typeof movements.$inferSelect)[] = []
    const found = await tampered(async () => {
      before = await store.read.select().from(movements)
      await store.commit(async (tx) => {
        await tx.update(movements).set(fields)
      })
    })
    expect(found).toMatch(/Entry \d+ \(execution\) is not what movement|Hash chain/)
    await store.commit(async (tx) => {
      await tx.delete(movements)
      await tx.insert(movements).values(before)
    })
  })

  test('notices one that is gone, and one that is booked without an entry', async () => {
    const { store } = ledger
    let before: (typeof movements.$inferSelect)[] = []
    const gone = await tampered(async () => {
      before = await store.read.select().from(movements)
      await store.commit(async (tx) => {
        await tx.delete(movements)
      })
    })
    expect(gone).toMatch(/Hash chain|which is not there/)
    const [one] = before
    if (!one) throw new Error('No movement')
    await store.commit(async (tx) => {
      await tx.insert(movements).values([one, { ...one, id: 'forged' }])
    })
    expect(auditAll(store.read)).rejects.toThrow('Movement forged is booked, and the journal has no entry of it')
    await store.commit(async (tx) => {
      await tx.delete(movements).where(eq(movements.id, 'forged'))
    })
  })
})

test('while the books are closed nothing is booked; it is pulled afterwards', async () => {
  const { books } = ledger.deps
  const { areClosed } = books
  Object.assign(books, { areClosed: () => true })
  const out = moved('out', '1000000')
  listed = [out]
  await deliver(out)
  await pullMovements(ledger.deps)
  expect(await entries()).toEqual([])
  Object.assign(books, { areClosed })
  await pullMovements(ledger.deps)
  expect(await entries()).toHaveLength(1)
})
