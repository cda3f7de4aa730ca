// What becomes of movements that were told, when their chain is reorganised.
import { afterEach, expect, test } from 'bun:test'
import { MovementReversed } from '@bursar/contracts/blockchain'
import { scanBlocks } from '../src/transfers/scan-blocks'
import { alice, bob } from './harness'
import { block, madeUpBlocks, paid } from './made-up-blocks'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A portfolio whose movement of 5 in block 3 of 4 was told with one confirmation; the blocks from 3 on can be replaced. */
async function told() {
  const chainNow = { fork: '', head: 4, at: 3 as number | null, amount: 5n, confirmations: 1 }
  const hashOf = (number: number) => (number > 2 ? `0x${chainNow.fork}${number}` : `0x${number}`)
  const { own, source } = await madeUpBlocks(ends, {
    head: 0,
    most: 9,
    read: async (from, to) => {
      const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
      const { at, amount } = chainNow
      const transfers =
        at !== null && numbers.includes(at) ? [{ ...paid(at, { from: alice, to: bob, amount }), txHash: '0xpaid' }] : []
      return { blocks: numbers.map((number) => block(number, hashOf(number), hashOf(number - 1))), transfers }
    },
  })
  await own.watch(alice, 'ethereum', { isPortfolio: true })
  const chain = await own.deps.networks.open('ethereum')
  const blockAt = async (number: number) => ({ hash: hashOf(number), at: new Date(number === 0 ? 0 : Date.now()) })
  const grown = { ...source, blockAt, head: async () => chainNow.head }
  async function scan(now: Partial<typeof chainNow> = {}) {
    Object.assign(chainNow, now)
    const settings = { ...chain.settings, confirmations: chainNow.confirmations }
    await scanBlocks(own.deps, { ...chain, settings, source: grown }, grown)
    await scanBlocks(own.deps, { ...chain, settings, source: grown }, grown)
  }
  await scan()
  const [first] = await own.movements()
  if (!first) throw new Error('It was not told')
  return {
    own,
    first,
    source: grown,
    scan,
    reversals: async () =>
      (await own.events()).filter(({ name }) => name === MovementReversed.name).map(({ data }) => data),
    listed: async () =>
      (await own.internal('GET', '/movements/changes')).body.items.map(({ record }: { record: object }) => record),
  }
}
const time = expect.stringMatching(/^20.*Z$/)

test('one that was told with fewer confirmations than are asked for now is reversed by a fork that is not deep, once', async () => {
  const { own, first, scan, reversals } = await told()
  await scan({ confirmations: 12, fork: 'b', at: null })
  expect(await reversals()).toEqual([{ ...first, reversedAt: time }])
  await scan({ fork: 'c', head: 6 })
  expect(await reversals()).toHaveLength(1)
  await scan({ fork: 'd', head: 16, at: 5 })
  expect((await own.movements()).map(({ id, reversedAt }) => [id, reversedAt])).toEqual([
    [first.id, undefined],
    [first.id, undefined],
  ])
})

test('while it is back and not final it is listed as reversed; reorganised once more it stays so, and keeps its id', async () => {
  const { own, first, source, scan, reversals, listed } = await told()
  await scan({ confirmations: 3, fork: 'b', at: 4 })
  const reversed = { ...first, confirmedAt: time, reversedAt: time }
  expect(await listed()).toEqual([reversed])
  await scan({ fork: 'c', at: null })
  expect(await listed()).toEqual([reversed])
  await scan({ fork: 'd', at: 4, amount: 4n, head: 9 })
  expect(await own.movements()).toHaveLength(1)
  // Nothing that was told is in it: not every node need show its forks.
  source.isAgreed = async (_number, _hash, byAll) => !byAll
  await scan({ confirmations: 12, fork: 'e', at: 5, amount: 5n, head: 17 })
  expect((await own.movements()).map(({ id, amount }) => [id, amount])).toEqual([
    [first.id, '5'],
    [first.id, '5'],
  ])
  expect(await listed()).toEqual([(await own.movements())[1]])
  expect(await reversals()).toHaveLength(1)
})
