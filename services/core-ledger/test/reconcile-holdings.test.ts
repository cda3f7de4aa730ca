import { describe, expect, test } from 'bun:test'
import { eq } from '@bursar/store'
import { recordConfirmed } from '../src/deposits/record-confirmed'
import { listShortfalls } from '../src/movements/shortfalls'
import { work } from '../src/movements/work.table'
import { owedOnChains } from '../src/reconciliation/owed'
import { isShort, reconcileHoldings } from '../src/reconciliation/reconcile-holdings'
import { createReconciliation } from '../src/reconciliation/reconciliation'
import {
  answer,
  eachWithPeers,
  ledger,
  nativeBench,
  peers,
  round,
  says,
  sides,
  txHash,
  withdrawal,
} from './reconcile-harness'
import { type Bench, complete, make, makeAsset, pay, screen } from './steps'

eachWithPeers()

describe('the holdings', () => {
  const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
  async function bench(): Promise<Bench> {
    const { id: accountId, customerId } = await ledger.account()
    const made = { assetId: await makeAsset(ledger, { address: contract }), accountId, customerId }
    await pay(ledger, made, '100')
    return made
  }

  test.each([
    [100_000_000n, false],
    [100_000_001n, false],
    [99_999_999n, true],
  ])('%p of 100 that came in', async (amount, short) => {
    await bench()
    says.held.ethereum = [[contract.toLowerCase(), amount]]
    const [line] = (await reconcileHoldings(sides)).lines
    expect(line).toMatchObject({ network: 'ethereum', amount: 100_000_000n, held: amount })
    expect(line && isShort(line)).toBe(short)
  })

  test('paid amounts, amounts under way and portfolios’ holdings need not be held; deposits in suspense must', async () => {
    const made = await bench()
    const owed = async () => [...(await owedOnChains(ledger.store.read)).values()].map(({ amount }) => amount)
    await withdrawal(made, 'COMPLETED', '10')
    expect(await owed()).toEqual([90_000_000n])
    const id = await withdrawal(made, 'APPROVED', '20')
    expect(await owed()).toEqual([90_000_000n])
    const ordered = { orderedAt: new Date() }
    await ledger.store.commit(async (tx) => void (await tx.update(work).set(ordered).where(eq(work.transactionId, id))))
    expect(await owed()).toEqual([70_000_000n])
    const portfolio = await ledger.account({ type: 'PORTFOLIO' })
    await pay(ledger, { ...made, accountId: portfolio.id }, '50')
    expect(await owed()).toEqual([70_000_000n])
    await make(ledger, 'deposit', {
      accountId: made.accountId,
      assetId: made.assetId,
      network: 'ethereum',
      amount: '5',
      sourceAddress: 'x',
      txHash: 'y',
    })
    expect(await owed()).toEqual([75_000_000n])
  })

  test.each([
    ['comes in', 100_000_000n, async (made: Bench) => void (await pay(ledger, made, '50'))],
    ['leaves', 90_000_000n, async (made: Bench) => void (await withdrawal(made, 'COMPLETED', '10'))],
  ])('are not short by what %s while they are read', async (_, held, moves) => {
    const made = await bench()
    says.held.ethereum = [[contract.toLowerCase(), held]]
    let reads = 0
    const snapshot: typeof ledger.store.snapshot = async (body) => {
      reads += 1
      if (reads === 2) await moves(made)
      return await ledger.store.snapshot(body)
    }
    const [line] = (await reconcileHoldings({ ...sides, ledger: { read: ledger.store.read, snapshot } })).lines
    expect([reads, line && isShort(line)]).toEqual([2, false])
  })

  test('of an unknown network are not compared', async () => {
    const assetId = await makeAsset(ledger, { network: 'mynet' })
    const { id: accountId } = await ledger.account()
    const deposit = { accountId, assetId, network: 'mynet', amount: '1', sourceAddress: 'x', txHash: 'y' }
    await make(ledger, 'deposit', deposit)
    const [line] = (await reconcileHoldings(sides)).lines
    expect(line).toMatchObject({ network: 'mynet', held: null })
  })
})

describe('every asset is named', () => {
  test('that any address holds, known to the ledger or not', async () => {
    const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
    await makeAsset(ledger, { code: 'HELD', address: contract })
    says.held.ethereum = [
      [contract.toLowerCase(), 5n],
      ['0x00000000000000000000000000000000000000ff', 7n],
      [null, 0n],
    ]
    const { lines } = await reconcileHoldings(sides)
    expect(lines.map(({ code, held: found, amount, assetIds }) => [code, found, amount, assetIds])).toEqual([
      ['HELD', 5n, 0n, []],
      ['0x00000000000000000000000000000000000000ff', 7n, 0n, []],
      ['native', 0n, 0n, []],
    ])
  })

  test('with known causes of the difference', async () => {
    const bench = await nativeBench('3')
    const deposit = {
      id: Bun.randomUUIDv7(),
      network: 'ethereum',
      txHash,
      logIndex: 0,
      accountId: bench.accountId,
      address: 'a',
      sourceAddress: 'x',
      contractAddress: null,
      amount: '1500000',
      decimals: 6,
      confirmedAt: '2026-01-01T00:00:00.000Z',
      reversedAt: null,
    }
    await ledger.store.commit(async (tx) => {
      await recordConfirmed(tx, { ...deposit, decimals: 18, id: Bun.randomUUIDv7(), txHash: 'other' }, new Date())
      await recordConfirmed(tx, deposit, new Date())
    })
    const { body } = await ledger.ask<{ id: string }[]>('GET', '/transactions?status=PENDING')
    await screen(ledger, body[0]?.id ?? '', true)
    await complete(ledger, body[0]?.id ?? '')
    await ledger.store.commit((tx) =>
      recordConfirmed(tx, { ...deposit, reversedAt: '2026-01-02T00:00:00.000Z' }, new Date()),
    )
    const [line] = (await reconcileHoldings(sides)).lines
    expect(line?.causes).toEqual([
      '1 deposit is set aside, 0.0000000000015',
      '1 credited deposit was taken off the chain, 1.5',
    ])
  })
})

describe('portfolios are separate', () => {
  test('their holdings pay nobody else, and their balances are owed by nobody else', async () => {
    const bench = await nativeBench('3')
    const { id: accountId } = await ledger.account({ type: 'PORTFOLIO' })
    await pay(ledger, { ...bench, accountId }, '10')
    says.held.ethereum = [[null, 2_000_000n]]
    says.ownAddress = { accountId, network: 'ethereum', holdings: [[null, 12_000_000n]] }
    const { lines, portfolios } = await reconcileHoldings(sides)
    expect(lines).toMatchObject([
      { amount: 3_000_000n, held: 2_000_000n, portfolios: { owed: 10_000_000n, held: 12_000_000n } },
    ])
    expect(portfolios).toMatchObject([{ accountId, amount: 10_000_000n, held: 12_000_000n }])
    expect([lines, portfolios].map(([line]) => line && isShort(line))).toEqual([true, false])
  })

  test('one whose addresses hold less has a shortfall after two rounds, until it is covered again', async () => {
    const bench = await nativeBench('10', { type: 'PORTFOLIO' })
    const other = { ...bench, accountId: (await ledger.account()).id }
    await pay(ledger, other, '1')
    const { accountId } = bench
    const reconciliation = createReconciliation()
    const waits = async () => (await listShortfalls(ledger.store.read)).map((row) => [row.accountId, row.reason])
    says.held.ethereum = [[null, 1_000_000n]]
    says.ownAddress = { accountId, network: 'ethereum', holdings: [[null, 9_999_999n]] }
    await round(reconciliation)
    expect(await waits()).toEqual([])
    await round(reconciliation)
    expect(await waits()).toEqual([[accountId, expect.stringMatching(/hold 9\.999999 USD\d+; the ledger has 10$/)]])
    // A chain that cannot be asked changes nothing.
    peers.answer(() => new Response('busy', { status: 503 }))
    await round(reconciliation)
    expect(await waits()).toHaveLength(1)
    // Nor does one that the blockchain service does not know any more.
    const isNetworks = ({ url }: Request) => new URL(url).pathname.endsWith('/networks')
    peers.answer((request) => (isNetworks(request) ? Response.json([]) : answer(request)))
    await round(reconciliation)
    expect(await waits()).toHaveLength(1)
    peers.answer(answer)
    says.ownAddress.holdings = [[null, 10_000_000n]]
    await round(reconciliation)
    expect(await waits()).toEqual([])
  })
})
