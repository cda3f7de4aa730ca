import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  type ConfirmedDeposit,
  DepositConfirmed,
  DepositReversed,
  type KnownTransfer,
} from '@bursar/contracts/blockchain'
import type { ServiceName } from '@bursar/contracts/services'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { listShortfalls, shortfallOf } from '../src/books/shortfalls'
import { chainTransfers } from '../src/chain/chain-transfers.table'
import { depositWorkers, retryUnmatched } from '../src/deposits/deposits.consumer'
import { unmatchedDeposits } from '../src/deposits/unmatched-deposits.table'
import { type Ledger, openLedger } from './harness'
import {
  type Bench,
  balanceOf,
  complete,
  depositOf,
  getTransaction,
  makeAsset,
  outside,
  screen,
  type Tx,
} from './steps'

const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const txHash = `0x${'ab'.repeat(32)}`

/** The blockchain service, as far as the ledger asks it. */
let chain: LocalServer
let known: KnownTransfer[] | null
let listed: ConfirmedDeposit[]
let ledger: Ledger
let bench: Bench

beforeEach(async () => {
  known = []
  listed = []
  chain = localServer(async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname.endsWith('/networks')) {
      return Response.json([{ name: 'ethereum', kind: 'evm', chainId: 1, nativeCode: 'ETH', nativeDecimals: 18 }])
    }
    if (pathname.endsWith('/transfers/known')) {
      const { items } = (await request.json()) as { items: unknown[] }
      return Response.json({ items: items.map(() => known) })
    }
    const after = Number(searchParams.get('after'))
    const items = listed.map((record, i) => ({ version: i + 1, record })).filter(({ version }) => version > after)
    return Response.json({ epoch: 7, items, more: false })
  })
  await open()
})
afterEach(async () => {
  await ledger.close()
  await chain.stop()
})

async function open(
  env: Record<string, string> = {},
  urls: Partial<Record<ServiceName, string>> = { blockchain: chain.url },
): Promise<void> {
  await ledger?.close()
  ledger = await openLedger({ env, urls })
  bench = { assetId: await makeAsset(ledger, { address: contract }), ...(await owner()) }
}
const owner = async () => {
  const { id: accountId, customerId } = await ledger.account()
  return { accountId, customerId }
}

const seen = (fields: Partial<ConfirmedDeposit> = {}): ConfirmedDeposit => ({
  id: Bun.randomUUIDv7(),
  network: 'ethereum',
  txHash,
  logIndex: 3,
  accountId: bench.accountId,
  address: outside,
  sourceAddress: outside,
  contractAddress: contract,
  amount: '1500000',
  decimals: 6,
  confirmedAt: '2026-01-01T00:00:00.000Z',
  reversedAt: null,
  ...fields,
})
const send = (event: typeof DepositConfirmed | typeof DepositReversed, data: ConfirmedDeposit) =>
  ledger.consume({
    id: Bun.randomUUIDv7(),
    name: event.name,
    type: event.type,
    timestamp: data.confirmedAt,
    requestId: null,
    service: 'blockchain',
    data,
  })
const deliver = (fields: Partial<ConfirmedDeposit> = {}) => send(DepositConfirmed, seen(fields))
const reverse = (fields: Partial<ConfirmedDeposit> = {}) =>
  send(DepositReversed, seen({ reversedAt: '2026-01-02T00:00:00.000Z', ...fields }))
const byHand = (fields: object = {}, amount = '1.5') =>
  ledger.ask<Tx>('POST', '/transactions/deposit', depositOf(bench, amount, { txHash, ...fields }))
const recorded = async () => (await ledger.ask<Tx[]>('GET', '/transactions')).body
const unmatched = async () => (await ledger.store.read.select().from(unmatchedDeposits)).map(({ reason }) => reason)
const credit = async (id: string) => {
  await screen(ledger, id, true)
  return await complete(ledger, id)
}

const indexes: [string, object][] = [
  ['without an index', {}],
  ['with its index', { logIndex: 3 }],
  ['with a wrong index', { logIndex: 0 }],
]

describe('one transfer on a chain is one deposit', () => {
  test.each(indexes)('recorded by hand %s, then seen', async (_, index) => {
    const { body } = await byHand(index)
    await deliver()
    await deliver()
    await retryUnmatched(ledger.deps)
    expect((await recorded()).map(({ id }) => id)).toEqual([body.id])
    expect(await unmatched()).toEqual([])
    await credit(body.id)
    expect(await balanceOf(ledger, bench)).toEqual(['1.5', '0', '1.5'])
  })

  test.each(indexes)('seen, then recorded by hand %s', async (name, index) => {
    await deliver()
    const { status, body } = await byHand(index)
    const [one, ...more] = await recorded()
    expect(more).toEqual([])
    if (name === 'with a wrong index')
      expect([status, body.message]).toEqual([409, expect.stringMatching(/is recorded as/)])
    else expect([status, body.id]).toEqual([200, one?.id ?? ''])
  })

  test('recorded by hand it takes over the chain’s index once: an equal transfer is a deposit of its own', async () => {
    const { body } = await byHand()
    await deliver({ logIndex: 3 })
    await deliver({ logIndex: 4 })
    expect(await recorded()).toMatchObject([{ id: body.id }, { amount: '1.5' }])
    // By hand it is the first of them, as before.
    expect((await byHand()).body.id).toBe(body.id)
    expect((await byHand({ logIndex: 4 })).status).toBe(200)
    expect(await recorded()).toHaveLength(2)
  })

  test('two recorded by hand are met by two, each once', async () => {
    await byHand()
    await byHand({ logIndex: 9 })
    for (const logIndex of [3, 4, 3]) await deliver({ logIndex })
    expect(await recorded()).toHaveLength(2)
    await deliver({ logIndex: 5 })
    expect(await recorded()).toHaveLength(3)
  })

  test.each(indexes)('another amount by hand %s: what is seen is set aside, with the reason', async (_, index) => {
    const { body } = await byHand(index, '7')
    await deliver()
    expect((await recorded()).map(({ id }) => id)).toEqual([body.id])
    expect(await unmatched()).toEqual([expect.stringContaining(`is recorded as transaction ${body.id}, with another`)])
  })

  test.each(indexes)('another amount than was seen: 409 by hand %s', async (_, index) => {
    await deliver()
    expect((await byHand(index, '7')).status).toBe(409)
    expect(await recorded()).toHaveLength(1)
  })

  test('of one transaction that pays two accounts each gets its own', async () => {
    const { body } = await byHand({ logIndex: 4 })
    const other = await owner()
    await deliver({ logIndex: 4, accountId: other.accountId, amount: '9' })
    await deliver({ logIndex: 3 })
    expect(await recorded()).toMatchObject([{ id: body.id }, { accountId: other.accountId, amount: '0.000009' }])
    expect(await unmatched()).toEqual([])
  })

  test('of two assets in one transaction each is its own', async () => {
    const second = await makeAsset(ledger, { address: outside })
    await byHand()
    await deliver({ contractAddress: outside, logIndex: 4 })
    await deliver()
    expect(await recorded()).toMatchObject([{ assetId: bench.assetId }, { assetId: second }])
  })
})

describe('in production a deposit by hand must be known to the chain', () => {
  const transfer = (fields: Partial<KnownTransfer> = {}): KnownTransfer => ({
    logIndex: 3,
    accountId: bench.accountId,
    sourceAddress: outside,
    toAddress: outside,
    contractAddress: contract.toLowerCase(),
    amount: '1500000',
    isFinal: true,
    ...fields,
  })
  beforeEach(() => open({ ENVIRONMENT: 'production' }))

  test.each([
    ['nothing is known', () => []],
    ['it is not final', () => [transfer({ isFinal: false })]],
    ['it is another account’s', () => [transfer({ accountId: Bun.randomUUIDv7() })]],
    ['it is nobody’s here', () => [transfer({ accountId: null })]],
    ['it is of another contract', () => [transfer({ contractAddress: outside })]],
    ['it is of the native coin', () => [transfer({ contractAddress: null })]],
    ['it has another amount', () => [transfer({ amount: '1500001' })]],
    ['it came from elsewhere', () => [transfer({ sourceAddress: contract })]],
  ])('400 when %s', async (_, transfers) => {
    known = transfers()
    expect((await byHand()).status).toBe(400)
    expect(await recorded()).toEqual([])
  })

  test.each(['by hand first', 'seen first'])('it is the chain’s transfer; %s', async (order) => {
    known = [transfer({ amount: '1' }), transfer()]
    if (order === 'seen first') await deliver()
    expect((await byHand({ logIndex: 0 })).status).toBe(400)
    expect((await byHand()).status).toBe(order === 'seen first' ? 200 : 201)
    expect((await byHand()).status).toBe(200)
    expect((await byHand({ logIndex: 3 })).status).toBe(200)
    await deliver()
    expect(await recorded()).toHaveLength(1)
  })

  test('of two equal transfers two are recorded, and no third', async () => {
    known = [transfer(), transfer({ logIndex: 4 })]
    for (const status of [201, 201, 200]) expect((await byHand()).status).toBe(status)
    for (const logIndex of [3, 4]) await deliver({ logIndex })
    expect(await recorded()).toHaveLength(2)
  })

  test('503 while the network, or the blockchain service, cannot be asked', async () => {
    known = null
    expect((await byHand()).status).toBe(503)
    chain.answer(() => new Response('busy', { status: 503 }))
    expect((await byHand()).status).toBe(503)
    expect(await recorded()).toEqual([])
  })
})

describe('a deposit that its chain took back', () => {
  const withdraw = () => shortfallOf(ledger.store.read, bench.accountId, bench.assetId)

  test.each(['PENDING', 'FROZEN', 'APPROVED'])(
    'is not credited from %s on, and is once it is confirmed again',
    async (status) => {
      await deliver()
      const [{ id } = { id: '' }] = await recorded()
      if (status !== 'PENDING') await screen(ledger, id, status === 'APPROVED')
      await reverse()
      if (status === 'PENDING') await screen(ledger, id, true)
      if (status === 'FROZEN') await ledger.ask('POST', `/transactions/${id}/approve-frozen-deposit`)
      expect(await complete(ledger, id)).toBe('held')
      expect(await balanceOf(ledger, bench)).toEqual([])
      expect(await withdraw()).toBeNull()
      await deliver({ confirmedAt: '2026-01-03T00:00:00.000Z' })
      expect(await complete(ledger, id)).toBe('done')
      expect(await balanceOf(ledger, bench)).toEqual(['1.5', '0', '1.5'])
      expect(await recorded()).toHaveLength(1)
    },
  )

  test('says why it waits', async () => {
    await deliver()
    const [{ id } = { id: '' }] = await recorded()
    await screen(ledger, id, true)
    await reverse()
    const workers = ledger.startWorkers()
    const phases = async () =>
      (await ledger.ask<{ phases: { detail: string | null }[] }>('GET', `/api/v1/core/transactions/${id}`)).body.phases
    await until(async () =>
      (await phases()).some(({ detail }) => detail?.includes('was taken off the chain at 2026-01-02')),
    )
    await Promise.all(workers.map((worker) => worker.stop()))
    expect((await getTransaction(ledger, id)).status).toBe('APPROVED')
  })

  test('after it was credited opens a shortfall of its account, which is told and closes when it is back', async () => {
    const other = await owner()
    await deliver()
    await deliver({ logIndex: 4, amount: '2000000' })
    await deliver({ logIndex: 5, accountId: other.accountId })
    for (const { id } of await recorded()) await credit(id)
    ledger.broker.published.length = 0
    await reverse()
    await reverse({ logIndex: 4, amount: '2000000' })
    await reverse()
    expect(await withdraw()).toMatchObject({
      reason: expect.stringMatching(/^3\.5 USD\d+ were credited and taken off/),
    })
    expect(await shortfallOf(ledger.store.read, other.accountId, bench.assetId)).toBeNull()
    const lines = (await ledger.events()).filter(
      ({ data }) => (data as { event_type?: string }).event_type === 'ERROR_OCCURRED',
    )
    expect(lines).toMatchObject([
      { data: { metadata: { message: 'A deposit was taken off its chain', amount: '1.5', tx_hash: txHash } } },
      { data: { metadata: { amount: '2' } } },
    ])
    const health = await ledger.ask<{ status: string; waiting: string[] }>('GET', '/health')
    expect([health.status, health.body.status, health.body.waiting]).toEqual([
      200,
      'degraded',
      ['Withdrawals wait for 1 shortfall: bun run reconcile'],
    ])
    const again = '2026-01-03T00:00:00.000Z'
    await deliver({ confirmedAt: again })
    expect(await withdraw()).toMatchObject({ reason: expect.stringMatching(/^2 USD/) })
    await deliver({ logIndex: 4, amount: '2000000', confirmedAt: again })
    expect(await listShortfalls(ledger.store.read)).toEqual([])
    expect(await balanceOf(ledger, bench)).toEqual(['3.5', '0', '3.5'])
    expect((await ledger.ask('GET', '/health')).body.status).toBe('ok')
  })

  test('an event that comes late changes nothing', async () => {
    await reverse()
    await deliver()
    expect(await recorded()).toEqual([])
    await deliver({ confirmedAt: '2026-01-03T00:00:00.000Z' })
    await reverse()
    const [{ id } = { id: '' }] = await recorded()
    expect(await credit(id)).toBe('done')
  })

  test('that was set aside is set aside no more', async () => {
    await deliver({ decimals: 8 })
    const [row] = await ledger.store.read.select().from(unmatchedDeposits)
    await reverse({ ...row?.deposit, reversedAt: '2026-01-02T00:00:00.000Z' })
    expect(await unmatched()).toEqual([])
  })

  test('is known from the list as well, when its event was lost', async () => {
    await deliver()
    const [{ id } = { id: '' }] = await recorded()
    await credit(id)
    listed = [seen({ reversedAt: '2026-01-02T00:00:00.000Z' })]
    const workers = depositWorkers(ledger.deps)
    await until(async () => (await withdraw()) !== null)
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  test('rejected before stays rejected', async () => {
    await deliver()
    const [{ id } = { id: '' }] = await recorded()
    await screen(ledger, id, false)
    await ledger.ask('POST', `/transactions/${id}/reject-frozen-deposit`)
    await reverse()
    await deliver({ confirmedAt: '2026-01-03T00:00:00.000Z' })
    expect((await getTransaction(ledger, id)).status).toBe('REJECTED')
    expect(await withdraw()).toBeNull()
  })
})

test('nothing is recorded or taken back while the books are closed; it is once they are open again', async () => {
  const other = { v: 1, books: Bun.randomUUIDv7(), lastSeq: 9, entries: 9, hash: 'a'.repeat(64) }
  const tracker = localServer(() => Response.json({ ...other, sealedAt: new Date().toISOString() }))
  await open({}, { blockchain: chain.url, 'log-tracker': tracker.url })
  expect(ledger.deps.books.areClosed()).toBe(true)
  await deliver()
  await reverse({ logIndex: 8 })
  await retryUnmatched(ledger.deps)
  expect([await recorded(), await ledger.store.read.select().from(chainTransfers)]).toEqual([[], []])
  tracker.answer(() => Response.json({ error: { message: 'none yet' } }, { status: 404 }))
  await ledger.deps.books.compare(ledger.deps)
  await deliver()
  expect(await recorded()).toHaveLength(1)
  await tracker.stop()
})
