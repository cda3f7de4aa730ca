import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { WithdrawalState } from '@bursar/contracts/wallet'
import { eq } from '@bursar/store'
import { type LocalServer, localServer } from '@bursar/testing'
import { owedOnChains } from '../src/books/owed'
import { isShort, reconcileHoldings } from '../src/books/reconcile-holdings'
import { contradiction, missingOrders, reconcileOrders } from '../src/books/reconcile-orders'
import { createReconciliation } from '../src/books/reconciliation'
import { work } from '../src/execution/work.table'
import { type Ledger, openLedger } from './harness'
import { type Bench, complete, make, makeAsset, makeBench, pay, screen, withdrawalOf } from './steps'

const txHash = `0x${'ab'.repeat(32)}`

/** The wallet and the blockchain service, as far as the reconciliation asks them. */
let peers: LocalServer
let records: WithdrawalState[]
/** By network and contract, what each of two addresses holds. */
let held: Record<string, [contractAddress: string | null, amount: bigint][]>
let epoch: number
let kind: 'evm' | 'simulated'
let ledger: Ledger
let sides: Parameters<typeof reconcileOrders>[0]

beforeEach(async () => {
  records = []
  held = {}
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
  return { items: [{ address: after ? 'b' : 'a', accountId: null, holdings }], next: after ? null : 'a' }
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
    const [line] = await reconcileHoldings(sides)
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
    const [line] = await reconcileHoldings(sides)
    expect(line).toMatchObject({ network: 'mynet', held: null })
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
    const bench = await makeBench(ledger, '3')
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
    })
  })

  test('says what was found last, and when; a round can be asked for', async () => {
    await makeBench(ledger, '3')
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
    const short = { ...line, owed: '3', held: '2.5', difference: '-0.5', isShort: true }
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
