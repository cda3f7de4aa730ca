import { beforeEach, describe, expect, test } from 'bun:test'
import type { KnownTransfer } from '@bursar/contracts/blockchain'
import { localServer } from '@bursar/testing'
import { retryUnmatched } from '../src/deposits/deposits.consumer'
import { chainTransfers } from '../src/movements/chain-transfers.table'
import {
  bench,
  byHand,
  chain,
  contract,
  credit,
  deliver,
  eachWithChain,
  ledger,
  open,
  owner,
  recorded,
  reverse,
  says,
  unmatched,
} from './deposit-harness'
import { balanceOf, complete, makeAsset, outside } from './steps'

eachWithChain()

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

  test('one recorded by hand gets the chain’s index once: an equal transfer is a separate deposit', async () => {
    const { body } = await byHand()
    await deliver({ logIndex: 3 })
    await deliver({ logIndex: 4 })
    expect(await recorded()).toMatchObject([{ id: body.id }, { amount: '1.5' }])
    // By hand it is the first of them, as before.
    expect((await byHand()).body.id).toBe(body.id)
    expect((await byHand({ logIndex: 4 })).status).toBe(200)
    expect(await recorded()).toHaveLength(2)
  })

  test('two recorded by hand match two transfers, each once', async () => {
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

  test('one transaction that pays two accounts is a deposit for each', async () => {
    const { body } = await byHand({ logIndex: 4 })
    const other = await owner()
    await deliver({ logIndex: 4, accountId: other.accountId, amount: '9' })
    await deliver({ logIndex: 3 })
    expect(await recorded()).toMatchObject([{ id: body.id }, { accountId: other.accountId, amount: '0.000009' }])
    expect(await unmatched()).toEqual([])
  })

  test('two assets in one transaction are two deposits', async () => {
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
    says.known = transfers()
    expect((await byHand()).status).toBe(400)
    expect(await recorded()).toEqual([])
  })

  test.each(['by hand first', 'seen first'])('it is the chain’s transfer; %s', async (order) => {
    says.known = [transfer({ amount: '1' }), transfer()]
    if (order === 'seen first') await deliver()
    expect((await byHand({ logIndex: 0 })).status).toBe(400)
    expect((await byHand()).status).toBe(order === 'seen first' ? 200 : 201)
    expect((await byHand()).status).toBe(200)
    expect((await byHand({ logIndex: 3 })).status).toBe(200)
    await deliver()
    expect(await recorded()).toHaveLength(1)
  })

  test.each(['before', 'after'])('a reversal that is told %s it holds against an older answer', async (when) => {
    says.known = [transfer()]
    const reversedAt = new Date(Date.now() - 1000).toISOString()
    if (when === 'before') await reverse({ reversedAt })
    await byHand()
    if (when === 'after') await reverse({ reversedAt })
    const [{ id } = { id: '' }] = await recorded()
    expect(await credit(id)).toBe('held')
    await deliver({ confirmedAt: new Date().toISOString() })
    expect([await complete(ledger, id), await recorded()]).toMatchObject(['done', [{ id }]])
  })

  test('of two equal transfers two are recorded, and no third', async () => {
    says.known = [transfer(), transfer({ logIndex: 4 })]
    for (const status of [201, 201, 200]) expect((await byHand()).status).toBe(status)
    for (const logIndex of [3, 4]) await deliver({ logIndex })
    expect(await recorded()).toHaveLength(2)
  })

  test('503 while the network, or the blockchain service, is unavailable', async () => {
    says.known = null
    expect((await byHand()).status).toBe(503)
    chain.answer(() => new Response('busy', { status: 503 }))
    expect((await byHand()).status).toBe(503)
    expect(await recorded()).toEqual([])
  })
})

test('nothing is recorded or reversed while the books are closed; it is once they are open again', async () => {
  const other = { v: 1, books: Bun.randomUUIDv7(), number: 9, lastSeq: 9, hash: 'a'.repeat(64) }
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
