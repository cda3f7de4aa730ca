// A node that lacks one field of a transaction, or lies in it: what came by it is neither lost nor more than it was.
import { afterAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { onLitesvm } from './on-litesvm'
import type { Processed } from './solana-ledger'
import { newKey } from './solana-wallet'

/** The parts of a record that are changed. */
interface Told {
  meta: {
    postBalances: unknown[]
    postTokenBalances: { owner: string }[]
  }
}
const { node, service, bank, mint, depositOf, stop } = await onLitesvm()
afterAll(stop)

const inMeta = (change: (meta: Told['meta']) => object) => (record: Told) => ({
  meta: { ...record.meta, ...change(record.meta) },
})
const lacksBalances = /^solana: A node gave a transaction without all of its balances$/
const ownerless = (balances: { owner: string }[]) => balances.map(({ owner: _, ...rest }) => rest)

describe('a deposit of a token beside others that were there, in a record', () => {
  test.each<[string, (record: Told) => object, RegExp]>([
    ['without its time', () => ({ blockTime: null }), /^solana: A node does not say when a transaction was$/],
    ['without its outcome', () => ({ meta: null }), lacksBalances],
    ['without the coins before it', inMeta(() => ({ preBalances: [] })), lacksBalances],
    ['without the coins after it', inMeta(() => ({ postBalances: undefined })), lacksBalances],
    [
      'without the last account’s coins',
      inMeta(({ postBalances }) => ({ postBalances: postBalances.slice(0, -1) })),
      lacksBalances,
    ],
    ['without the tokens before it', inMeta(() => ({ preTokenBalances: null })), lacksBalances],
    ['without the tokens after it', inMeta(() => ({ postTokenBalances: undefined })), lacksBalances],
    [
      'without the owners of tokens',
      inMeta(({ postTokenBalances }) => ({ postTokenBalances: ownerless(postTokenBalances) })),
      lacksBalances,
    ],
    [
      'that has failed, though its list says the opposite',
      inMeta(() => ({ err: 'AccountInUse' })),
      /^solana: A node gave a transaction with another outcome than it has listed$/,
    ],
  ])('%s: it waits until the node tells it whole', async (_, changed, words) => {
    const to = await newKey()
    await service.watch(to.address, 'solana')
    const first = await bank.mintTo(to.address, 1000n, mint)
    node.finalize()
    await depositOf(first)
    const hash = await bank.mintTo(to.address, 5n, mint)
    const entry = node.processed.find(({ signature }) => signature === hash) as Processed
    const { record } = entry
    entry.record = { ...record, ...changed(record as Told) }
    node.finalize()
    const waits = async () =>
      (await service.get('/networks')).body.find(({ network }: { network: string }) => network === 'solana').lastError
        ?.message ?? ''
    await until(async () => words.test(await waits()))
    expect((await service.deposits()).filter(({ txHash }) => txHash === hash)).toEqual([])
    entry.record = record
    expect(await depositOf(hash)).toMatchObject({ amount: '5' })
    expect((await service.deposits()).filter(({ txHash }) => txHash === hash)).toHaveLength(1)
  })
})
