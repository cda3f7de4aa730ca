import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { WithdrawalState } from '@bursar/contracts/wallet'
import { eq } from '@bursar/store'
import { type LocalServer, localServer } from '@bursar/testing'
import { owedOnChains } from '../src/books/owed'
import { isShort, reconcileHoldings } from '../src/books/reconcile-holdings'
import { contradiction, missingOrders, reconcileOrders } from '../src/books/reconcile-orders'
import { createReconciliation } from '../src/books/reconciliation'
import { listShortfalls, shortfallOf } from '../src/books/shortfalls'
import { recordConfirmed } from '../src/deposits/record-confirmed'
import { work } from '../src/execution/work.table'
import { type Ledger, openLedger } from './harness'
import { type Bench, complete, make, makeAsset, makeBench, pay, screen, withdrawalOf } from './steps'

const txHash = `0x${'ab'.repeat(32)}`

/** The wallet and the blockchain service, as far as the reconciliation asks them. */
let peers: LocalServer
let records: WithdrawalState[]
/** By network and contract, what each of two addresses holds. */
let held: Record<string, [contractAddress: string | null, amount: bigint][]>
/** The second address, where it is an account's. */
let ownAddress: { accountId: string; network: string; holdings: [string | null, bigint][] } | null
let epoch: number
let kind: 'evm' | 'simulated'
let ledger: Ledger
let sides: Parameters<typeof reconcileOrders>[0]

beforeEach(async () => {
  records = []
  held = {}
  ownAddress = null
  epoch = 1
  kind = 'evm'
  peers = localServer(answer)
  ledger = await openLedger({ urls: { wallet: peers.url, blockchain: peers.url } })
  sides = { db: ledger.store.read, client: ledger.deps.client }
})
afterEach(async () => {
  await ledger.close()
  await peers.stop()
})

function answer(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url)
  const [, , what, id = ''] = pathname.split('/')
  if (what === 'networks') {
    return Response.json([{ name: 'ethereum', kind, chainId: 1, nativeCode: 'ETH', nativeDecimals: 18 }])
  }
  if (what === 'holdings') return Response.json(holdingsPage(id, searchParams.get('after')))
  if (id === 'changes') {
    const after = Number(searchParams.get('after'))
    const items = records.map((record, index) => ({ version: index + 1, record })).filter((it) => it.version > after)
    return Response.json({ epoch, items: items.slice(0, 4), more: items.length > 4 })
  }
  const record = records.findLast((one) => one.id === id)
  return record ? Response.json(record) : Response.json({ error: { message: 'unknown' } }, { status: 404 })
}

/** Two addresses, a page each; the second holds nothing. */
function holdingsPage(network: string, after: string | null) {
  const holdings = (after ? [] : (held[network] ?? [])).map(([contractAddress, amount]) => ({
    contractAddress,
    amount: `${amount}`,
    decimals: 6,
  }))
  const own = after ? ownAddress : null
  if (own?.network === network) {
    for (const [contractAddress, amount] of own.holdings)
      holdings.push({ contractAddress, amount: `${amount}`, decimals: 6 })
  }
  const address = { address: after ? 'b' : 'a', accountId: own?.accountId ?? null, holdings }
  return { items: [address], next: after ? null : 'a' }
}

const record = (id: string, status: WithdrawalState['status'], hash: string | null = txHash): WithdrawalState => ({
  id,
  status,
  txHash: status === 'broadcast' || status === 'confirmed' ? hash : null,
  reason: status === 'failed' ? 'no' : null,
})

/** A withdrawal that has come so far. */
async function withdrawal(bench: Bench, until: 'PENDING' | 'APPROVED' | 'COMPLETED', amount = '1'): Promise<string> {
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, amount))
  if (until !== 'PENDING') await screen(ledger, id, true)
  if (until === 'COMPLETED') await complete(ledger, id, txHash)
  return id
}

/** An account with so much of the network's own coin. */
async function nativeBench(amount: string, account: Parameters<Ledger['account']>[0] = {}): Promise<Bench> {
  const { id: accountId, customerId } = await ledger.account(account)
  const bench = { assetId: await makeAsset(ledger, { address: 'native' }), accountId, customerId }
  await pay(ledger, bench, amount)
  return bench
}

describe('the orders', () => {
  test('agree when each is on its way or ended alike', async () => {
    const bench = await makeBench(ledger)
    const done = await withdrawal(bench, 'COMPLETED')
    const approved = await withdrawal(bench, 'APPROVED')
    const paid = await withdrawal(bench, 'APPROVED')
    records.push(record(done, 'confirmed'), record(approved, 'broadcast'), record(paid, 'confirmed'))
    records.push(record(Bun.randomUUIDv7(), 'failed'))
    expect(await reconcileOrders(sides)).toEqual({ orders: 4, epoch: 1, after: 4, differences: [], missing: 0 })
  })

  test('differ when one was carried out that the ledger does not know, as after a restore', async () => {
    const unknown = Bun.randomUUIDv7()
    records.push(record(unknown, 'confirmed'))
    const { differences } = await reconcileOrders(sides)
    expect(differences).toEqual([{ id: unknown, what: `not known here, confirmed at the wallet service (${txHash})` }])
  })

  test('differ when a completed one is not confirmed, and it is named', async () => {
    const bench = await makeBench(ledger)
    const [lost, done] = [await withdrawal(bench, 'COMPLETED'), await withdrawal(bench, 'COMPLETED')]
    records.push(record(done, 'confirmed'))
    expect(await reconcileOrders(sides)).toMatchObject({ differences: [], missing: 1 })
    const named: string[] = []
    for await (const { id, what } of missingOrders(sides)) named.push(`${id} ${what}`)
    expect(named).toEqual([`${lost} COMPLETED here; the wallet service has no order of it`])
  })

  test.each(['accepted', 'broadcast', 'failed'] as const)(
    'one that is %s there is not counted as paid',
    async (status) => {
      const done = await withdrawal(await makeBench(ledger), 'COMPLETED')
      records.push(record(done, status))
      expect(await reconcileOrders(sides)).toMatchObject({ orders: 1, missing: 1 })
    },
  )

  test('are all looked at, over pages; after a version those that follow', async () => {
    records.push(...Array.from({ length: 7 }, () => record(Bun.randomUUIDv7(), 'failed')))
    expect(await reconcileOrders(sides)).toMatchObject({ orders: 7, after: 7, missing: 0 })
    expect(await reconcileOrders(sides, 5)).toMatchObject({ orders: 2, after: 7, missing: null })
  })

  const withdrawn = { type: 'WITHDRAWAL', network: 'ethereum', txHash } as const
  const cases = ['PENDING', 'FROZEN', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED'] as const
  /** By the wallet service's word: the ledger's statuses that it contradicts. */
  const contradicted: [WithdrawalState['status'], string[]][] = [
    ['accepted', ['PENDING', 'FROZEN', 'COMPLETED', 'REJECTED', 'FAILED']],
    ['broadcast', ['PENDING', 'FROZEN', 'COMPLETED', 'REJECTED', 'FAILED']],
    ['confirmed', ['PENDING', 'FROZEN', 'REJECTED', 'FAILED']],
    ['failed', ['COMPLETED']],
  ]
  test.each(contradicted)('%s contradicts %p', (word, statuses) => {
    const found = cases.filter((status) => contradiction(record('x', word), { ...withdrawn, status }) !== null)
    expect(found).toEqual(statuses as typeof found)
  })

  test('an unknown order contradicts COMPLETED alone; a hash another hash; an order a deposit', () => {
    expect(cases.filter((status) => contradiction(null, { ...withdrawn, status }) !== null)).toEqual(['COMPLETED'])
    const done = { ...withdrawn, status: 'COMPLETED' } as const
    expect(contradiction(record('x', 'confirmed', txHash.toUpperCase().replace('0X', '')), done)).toBeNull()
    expect(contradiction(record('x', 'confirmed', `0x${'cd'.repeat(32)}`), done)).toMatch(/with hash/)
    expect(contradiction(record('x', 'confirmed'), { ...done, type: 'DEPOSIT' })).toMatch(/^a DEPOSIT here/)
  })
})

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
    held.ethereum = [[contract.toLowerCase(), amount]]
    const [line] = (await reconcileHoldings(sides)).lines
    expect(line).toMatchObject({ network: 'ethereum', amount: 100_000_000n, held: amount })
    expect(line && isShort(line)).toBe(short)
  })

  test('what left, what may have left and what portfolios hold need not be there; deposits in suspense must', async () => {
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

  test('of a network that nobody knows are not compared', async () => {
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
    held.ethereum = [
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

  test('with what is known of why it differs', async () => {
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
      await recordConfirmed(tx, { ...deposit, decimals: 18, id: Bun.randomUUIDv7(), txHash: 'other' })
      await recordConfirmed(tx, deposit)
    })
    const { body } = await ledger.ask<{ id: string }[]>('GET', '/transactions?status=PENDING')
    await screen(ledger, body[0]?.id ?? '', true)
    await complete(ledger, body[0]?.id ?? '')
    await ledger.store.commit((tx) => recordConfirmed(tx, { ...deposit, reversedAt: '2026-01-02T00:00:00.000Z' }))
    const [line] = (await reconcileHoldings(sides)).lines
    expect(line?.causes).toEqual([
      '1 deposit is set aside, 0.0000000000015',
      '1 credited deposit was taken off the chain, 1.5',
    ])
  })
})

describe('portfolios are apart', () => {
  test('what they hold at their own addresses pays nobody else, and what they have is owed by nobody else', async () => {
    const bench = await nativeBench('3')
    const { id: accountId } = await ledger.account({ type: 'PORTFOLIO' })
    await pay(ledger, { ...bench, accountId }, '10')
    held.ethereum = [[null, 2_000_000n]]
    ownAddress = { accountId, network: 'ethereum', holdings: [[null, 12_000_000n]] }
    const { lines, portfolios } = await reconcileHoldings(sides)
    expect(lines).toMatchObject([
      { amount: 3_000_000n, held: 2_000_000n, portfolios: { owed: 10_000_000n, held: 12_000_000n } },
    ])
    expect(portfolios).toMatchObject([{ accountId, amount: 10_000_000n, held: 12_000_000n }])
    expect([lines, portfolios].map(([line]) => line && isShort(line))).toEqual([true, false])
  })

  test('one whose addresses hold less has a shortfall after two looks, until they hold it again', async () => {
    const bench = await nativeBench('10', { type: 'PORTFOLIO' })
    const other = { ...bench, accountId: (await ledger.account()).id }
    await pay(ledger, other, '1')
    const { accountId } = bench
    const reconciliation = createReconciliation()
    const waits = async () => (await listShortfalls(ledger.store.read)).map((row) => [row.accountId, row.reason])
    held.ethereum = [[null, 1_000_000n]]
    ownAddress = { accountId, network: 'ethereum', holdings: [[null, 9_999_999n]] }
    await reconciliation.round(ledger.deps)
    expect(await waits()).toEqual([])
    await reconciliation.round(ledger.deps)
    expect(await waits()).toEqual([[accountId, expect.stringMatching(/hold 9\.999999 USD\d+; the ledger has 10$/)]])
    // A chain that cannot be asked changes nothing.
    peers.answer(() => new Response('busy', { status: 503 }))
    await reconciliation.round(ledger.deps)
    expect(await waits()).toHaveLength(1)
    peers.answer(answer)
    ownAddress.holdings = [[null, 10_000_000n]]
    await reconciliation.round(ledger.deps)
    expect(await waits()).toEqual([])
  })
})

describe('SOLVENCY_GATE', () => {
  const waits = async () =>
    (await listShortfalls(ledger.store.read)).map(({ accountId, reason }) => [accountId, reason])
  interface Line {
    event_type?: string
    status: string
    metadata: { message: string }
  }
  const lines = async () =>
    (await ledger.events())
      .map(({ data }) => data as Line)
      .filter(({ event_type }) => event_type === 'ERROR_OCCURRED')
      .map(({ status, metadata }) => [status, metadata.message.split(':')[0]])

  test('on: what is owed above what is held twice holds all withdrawals of the asset, until it is whole', async () => {
    const { assetId } = await nativeBench('3')
    const reconciliation = createReconciliation({ solvencyGate: true })
    held.ethereum = [[null, 2_500_000n]]
    await reconciliation.round(ledger.deps)
    expect(await waits()).toEqual([])
    for (let i = 0; i < 2; i++) await reconciliation.round(ledger.deps)
    expect(await waits()).toEqual([
      [null, expect.stringMatching(/^2\.5 USD\d+ are held on ethereum, 3 are owed: top up 0\.5$/)],
    ])
    expect(await shortfallOf(ledger.store.read, Bun.randomUUIDv7(), assetId)).not.toBeNull()
    const health = await ledger.ask<{ status: string; waiting: string[] }>('GET', '/health')
    expect([health.status, health.body.status, health.body.waiting]).toEqual([
      200,
      'degraded',
      ['Withdrawals wait for 1 shortfall: bun run reconcile'],
    ])
    held.ethereum = [[null, 3_000_000n]]
    await reconciliation.round(ledger.deps)
    expect(await waits()).toEqual([])
    expect(await lines()).toEqual([
      ['FAILURE', 'Withdrawals wait'],
      ['SUCCESS', 'Withdrawals go on'],
    ])
  })

  test('once and then whole is nothing; nor is a simulated chain', async () => {
    await nativeBench('3')
    const reconciliation = createReconciliation({ solvencyGate: true })
    for (const amount of [2n, 3_000_000n, 2n, 3_000_000n]) {
      held.ethereum = [[null, amount]]
      await reconciliation.round(ledger.deps)
    }
    kind = 'simulated'
    held.ethereum = []
    for (let i = 0; i < 3; i++) await reconciliation.round(ledger.deps)
    expect(await waits()).toEqual([])
  })

  test('off: it is reported and holds nothing; what was open closes', async () => {
    await nativeBench('3')
    const on = createReconciliation({ solvencyGate: true })
    for (let i = 0; i < 2; i++) await on.round(ledger.deps)
    expect(await waits()).toHaveLength(1)
    const off = createReconciliation({ solvencyGate: false })
    for (let i = 0; i < 2; i++) await off.round(ledger.deps)
    expect(await waits()).toEqual([])
    expect(off.last().holdings.filter(off.last().isShortTwice)).toHaveLength(1)
  })
})

describe('the service', () => {
  const word = 'wallet or chains differ; see bun run reconcile'
  const verdict = (it: ReturnType<typeof createReconciliation>) => it.check().catch((error: Error) => error.message)

  test('reports orders that differ, until they agree', async () => {
    const reconciliation = createReconciliation()
    const unknown = Bun.randomUUIDv7()
    records.push(record(unknown, 'confirmed'))
    await reconciliation.round(ledger.deps)
    expect(await verdict(reconciliation)).toBe(word)
    await reconciliation.round(ledger.deps)
    expect(await verdict(reconciliation)).toBe(word)
    records[0] = record(unknown, 'failed')
    await reconciliation.round(ledger.deps)
    expect(await verdict(reconciliation)).toBeUndefined()
  })

  test('looks at all orders again when the wallet service’s versions begin anew', async () => {
    const reconciliation = createReconciliation()
    records.push(...Array.from({ length: 201 }, () => record(Bun.randomUUIDv7(), 'failed')))
    await reconciliation.round(ledger.deps)
    const bench = await makeBench(ledger)
    await withdrawal(bench, 'COMPLETED')
    await reconciliation.round(ledger.deps)
    expect(await verdict(reconciliation)).toBeUndefined()
    epoch = 2
    await reconciliation.round(ledger.deps)
    expect(await verdict(reconciliation)).toBe(word)
  })

  test('reports what is short twice on a real chain, and never a simulated one', async () => {
    const bench = await nativeBench('3')
    const reconciliation = createReconciliation()
    await reconciliation.round(ledger.deps)
    expect(await verdict(reconciliation)).toBeUndefined()
    await reconciliation.round(ledger.deps)
    expect(await verdict(reconciliation)).toBe(word)
    held.ethereum = [[null, 3_000_000n]]
    await reconciliation.round(ledger.deps)
    expect(await verdict(reconciliation)).toBeUndefined()
    held.ethereum = []
    kind = 'simulated'
    for (let i = 0; i < 3; i++) await reconciliation.round(ledger.deps)
    expect(await verdict(reconciliation)).toBeUndefined()
    expect(bench.assetId).toBeString()
  })

  test('skips its rounds while the others are away', async () => {
    const reconciliation = createReconciliation()
    records.push(record(Bun.randomUUIDv7(), 'confirmed'))
    peers.answer(() => new Response('busy', { status: 503 }))
    await reconciliation.round(ledger.deps)
    expect(await verdict(reconciliation)).toBeUndefined()
    peers.answer(answer)
    await reconciliation.round(ledger.deps)
    expect(await verdict(reconciliation)).toBe(word)
  })
})

describe('GET /v1/books/reconciliation', () => {
  const report = async () => (await ledger.get('/v1/books/reconciliation')).body
  const now = () => ledger.post('/v1/books/reconciliation/rounds', undefined)

  test('is empty before the first round', async () => {
    expect(await report()).toEqual({
      at: null,
      everySeconds: 600,
      failure: null,
      differing: 0,
      orders: [],
      missing: 0,
      holdings: [],
      portfolios: [],
      shortfalls: [],
    })
  })

  test('says what was found last, and when; a round can be asked for', async () => {
    await nativeBench('3')
    const unknown = Bun.randomUUIDv7()
    records.push(record(unknown, 'confirmed'))
    held.ethereum = [[null, 2_500_000n]]
    const before = Date.now()
    const { status, body } = await now()
    expect(status).toBe(200)
    expect(await report()).toEqual(body)
    expect(Date.parse(body.at)).toBeGreaterThanOrEqual(before)
    expect(body).toMatchObject({ failure: null, differing: 1, missing: 0 })
    expect(body.orders).toEqual([{ id: unknown, what: `not known here, confirmed at the wallet service (${txHash})` }])
    const line = { network: 'ethereum', assetCode: expect.any(String), contractAddress: null, isSimulated: false }
    const parts = { customers: '3', suspense: '0', underWay: '0', feesPaid: '0', portfolios: { owed: '0', held: '0' } }
    const own = { ...parts, causes: [], topUp: '0.5' }
    const short = { ...line, ...own, owed: '3', held: '2.5', difference: '-0.5', isShort: true }
    expect(body.holdings).toEqual([{ ...short, isShortTwice: false }])
    expect((await now()).body.holdings).toEqual([{ ...short, isShortTwice: true }])
    held.ethereum = [[null, 3_000_001n]]
    expect((await now()).body.holdings).toMatchObject([{ difference: '0.000001', isShort: false, isShortTwice: false }])
  })

  test('503 while the others are away; what was found last stays, with the failure', async () => {
    const { body: first } = await now()
    peers.answer(() => new Response('busy', { status: 503 }))
    const refusal = await now()
    expect(refusal.status).toBe(503)
    peers.answer(answer)
    const { failure, ...rest } = await report()
    expect(rest).toEqual({ ...first, failure: undefined })
    expect(failure).toEqual({ at: expect.any(String), message: refusal.body.message })
    expect((await now()).body.failure).toBeNull()
  })
})
