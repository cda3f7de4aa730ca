// What the reading of a network promises, with blocks that a test makes up.
import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { MovementReversed } from '@bursar/contracts/blockchain'
import type { BlockSource, ChainTransfer } from '../src/networks/network'
import { scanBlocks } from '../src/transfers/scan-blocks'
import { advance, readRemembered, rewind } from '../src/watching/cursors'
import { noteWatchAgain } from '../src/watching/watch-again'
import { watch } from '../src/watching/watched'
import { accountId, alice, bob } from './harness'
import { block, madeUpBlocks, paid } from './made-up-blocks'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const begin = (head: number, read: BlockSource['read'], most = 1) => madeUpBlocks(ends, { head, read, most })

test('blocks of two chains are not read as one: nothing of them is recorded, and they are read again', async () => {
  let isTorn = true
  const { scan, cursor, statuses } = await begin(
    2,
    async () => ({ blocks: [block(1), block(2, '0x2', isTorn ? '0xother' : '0x1')], transfers: [paid(1)] }),
    2,
  )
  expect(await scan()).toBe(true)
  expect(await cursor()).toBe(0)
  expect(await statuses()).toEqual([])
  isTorn = false
  await scan()
  expect(await cursor()).toBe(2)
  expect(await statuses()).toEqual([['0xpaid1', 'confirmed']])
})

test('of two that read at once one records: the other one has read what may be gone', async () => {
  let isNested = false
  const { source, scan, cursor, statuses } = await begin(1, async () => {
    if (!isNested) {
      isNested = true
      await scan({ ...source, read: async () => ({ blocks: [block(1)], transfers: [paid(1)] }) })
    }
    return { blocks: [block(1, '0xstale', '0x0')], transfers: [paid(1, { txHash: '0xstale', blockHash: '0xstale' })] }
  })
  await scan()
  expect(await cursor()).toBe(1)
  expect(await statuses()).toEqual([['0xpaid1', 'confirmed']])
})

test('an address that is watched again after a restore is read from there, also while the chain is found to have forked', async () => {
  let [fork, head] = ['', 4]
  const hashOf = (number: number) => (fork !== '' && number > 3 ? `0x${fork}${number}` : `0x${number}`)
  const { own, source, scan, cursor } = await begin(1, async (from, to) => ({
    blocks: Array.from({ length: to - from + 1 }, (_, i) =>
      block(from + i, hashOf(from + i), from + i === 1 ? '0x0' : hashOf(from + i - 1)),
    ),
    transfers: [],
  }))
  const { store } = own.deps
  const grown = {
    ...source,
    most: 9,
    head: async () => head,
    blockAt: async (number: number) => ({ hash: hashOf(number), at: new Date(number === 0 ? 0 : Date.now()) }),
  }
  await scan(grown)
  await store.commit(async (tx) => {
    await rewind(tx, 'ethereum', { block: 1, hash: '0x1' })
    await noteWatchAgain(tx, new Date(Date.now() - 60_000), new Date())
  })
  await scan(grown)
  expect(await cursor()).toBe(4)
  fork = 'b'
  head = 5
  let isWatched = false
  const blockAt = async (number: number) => {
    if (!isWatched) await own.watch(bob)
    isWatched = true
    return await grown.blockAt(number)
  }
  await scan({ ...grown, blockAt })
  expect(isWatched).toBe(true)
  expect(await cursor()).toBe(1)
  await scan(grown)
  expect(await cursor()).toBe(5)
})

test('what came before the address was given out is no deposit', async () => {
  const hour = 3_600_000
  const { own, scan, statuses } = await begin(1, async () => ({
    blocks: [block(1)],
    transfers: [paid(1, { at: new Date(Date.now() - hour) }), paid(1, { txHash: '0xlater' })],
  }))
  await scan()
  expect((await statuses()).sort()).toEqual([
    ['0xlater', 'confirmed'],
    ['0xpaid1', 'earlier'],
  ])
  expect((await own.deposits()).map(({ txHash }) => txHash)).toEqual(['0xlater'])
})

test.each([
  ['has been corrected', 0],
  ['is still ahead', 365 * 86_400_000],
])(
  'what comes to an address that was watched by a clock a year ahead is a deposit, while that %s',
  async (_, ahead) => {
    const now = new Date()
    const year = 365 * 86_400_000
    const { own, source, scan } = await begin(1, async () => ({
      blocks: [block(1)],
      transfers: [
        paid(1, { to: carol, at: new Date(now.getTime() - year) }),
        paid(1, { txHash: '0xsecond', to: carol, at: now }),
        paid(1, { txHash: '0xlong ago', at: new Date(0) }),
      ],
    }))
    source.blockAt = async (number) => ({ hash: `0x${number}`, at: number === 0 ? new Date(0) : now })
    const address = { network: 'ethereum', address: carol, accountId }
    await own.deps.store.commit((tx) => watch(tx, address, new Date(now.getTime() + year)))
    setSystemTime(new Date(now.getTime() + ahead))
    try {
      await scan()
      expect((await own.deposits()).map(({ txHash }) => txHash).sort()).toEqual(['0xpaid1', '0xsecond'])
    } finally {
      setSystemTime()
    }
  },
)
const carol = '0x00000000000000000000000000000000000000d3'

test('a node that does not show a block which it must have proves no fork: nothing is taken back, and it is read on later', async () => {
  let isBehind = false
  const { own, source, scan, cursor, statuses } = await begin(
    4,
    async (from, to) => {
      const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
      return { blocks: numbers.map((number) => block(number)), transfers: numbers.includes(2) ? [paid(2)] : [] }
    },
    9,
  )
  const { blockAt } = source
  // It answers in the place of the one that has told the head.
  source.blockAt = async (number) => (isBehind && number > 1 ? null : await blockAt(number))
  await scan()
  expect(await statuses()).toEqual([['0xpaid2', 'confirmed']])
  isBehind = true
  await expect(scan()).rejects.toThrow('A node of ethereum does not show block 4, below its head 4')
  source.head = async () => 3
  await expect(scan()).rejects.toThrow('A node of ethereum does not show block 3, below its head 3')
  expect(await statuses()).toEqual([['0xpaid2', 'confirmed']])
  expect(await own.depositEvents()).toHaveLength(1)
  expect(await cursor()).toBe(4)
  isBehind = false
  source.head = async () => 5
  await scan()
  expect(await cursor()).toBe(5)
  expect(await own.depositEvents()).toHaveLength(1)
})

test('a fork at the very block where reading began goes back by the confirmations, not to the first block of the chain', async () => {
  let fork = ''
  const reads: number[] = []
  const { own, source, scan, cursor } = await begin(900, async (from) => {
    reads.push(from)
    if (fork === '') throw new Error('It is away')
    return { blocks: [block(from, `0x${fork}${from}`, `0x${fork}${from - 1}`)], transfers: [] }
  })
  const chain = await own.deps.networks.open('ethereum')
  source.blockAt = async (number) => ({
    hash: number > 890 ? `0x${fork}${number}` : `0x${number}`,
    at: new Date(number === 899 ? 0 : Date.now()),
  })
  expect(chain.settings.confirmations).toBe(1)
  await expect(scan()).rejects.toThrow('It is away')
  fork = 'b'
  await scan()
  expect(reads).toEqual([900, 899])
  expect(await cursor()).toBe(899)
})

test('the blocks behind a fork are forgotten: they are of a chain that is gone', async () => {
  const { own } = await begin(0, async () => ({ blocks: [], transfers: [] }))
  const { store } = own.deps
  await store.commit((tx) => advance(tx, 'ethereum', [block(1), block(2), block(3)]))
  await store.commit((tx) => rewind(tx, 'ethereum', { block: 1, hash: '0x1' }))
  expect(await readRemembered(store.read, 'ethereum')).toEqual([{ number: 1, hash: '0x1' }])
})

test('a deposit that comes back with another amount is told with that one; as another coin, or to nobody here, it stays reversed', async () => {
  let fork = ''
  let head = 3
  let back: Partial<ChainTransfer> = {}
  const hashOf = (number: number) => (number > 1 ? `0x${fork}${number}` : `0x${number}`)
  const { own, source } = await begin(0, async (from, to) => {
    const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const blocks = numbers.map((number) => block(number, hashOf(number), hashOf(number - 1)))
    return { blocks, transfers: numbers.includes(2) ? [paid(2, { blockHash: hashOf(2), ...back })] : [] }
  })
  const chain = await own.deps.networks.open('ethereum')
  const blockAt = async (number: number) => ({ hash: hashOf(number), at: new Date(number === 0 ? 0 : Date.now()) })
  const grown = { ...source, most: 9, blockAt, head: async () => head }
  const reorganise = async (change: Partial<ChainTransfer>) => {
    back = change
    fork += 'b'
    head += 1
    await scanBlocks(own.deps, { ...chain, source: grown }, grown)
    return (await own.depositEvents()).at(-1)
  }
  await scanBlocks(own.deps, { ...chain, source: grown }, grown)
  const [first] = await own.deposits()
  expect(first).toMatchObject({ amount: '5', contractAddress: null, address: alice, reversedAt: null })
  expect(await reorganise({ amount: 2n, from: carol })).toMatchObject({
    id: first?.id,
    amount: '2',
    sourceAddress: carol,
    reversedAt: null,
  })
  expect((await reorganise({ amount: 5n, contractAddress: carol }))?.reversedAt).not.toBeNull()
  expect((await reorganise({ to: carol }))?.reversedAt).not.toBeNull()
  expect(await reorganise({})).toMatchObject({ id: first?.id, amount: '5', sourceAddress: bob, reversedAt: null })
})

test('a movement that is reorganised away after it was told is an error in the log and an event; when it comes back it is told again', async () => {
  let fork = ''
  let head = 4
  const hashOf = (number: number) => (number > 2 ? `0x${fork}${number}` : `0x${number}`)
  const { own, source } = await begin(0, async (from, to) => {
    const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const at = fork === '' ? 3 : 6
    const transfers = numbers.includes(at) ? [{ ...paid(at, { from: alice, to: bob }), txHash: '0xpaid3' }] : []
    return { blocks: numbers.map((number) => block(number, hashOf(number), hashOf(number - 1))), transfers }
  })
  await own.watch(alice, 'ethereum', { isPortfolio: true })
  const errors: object[] = []
  const deps = { ...own.deps, log: { ...own.deps.log, error: (fields: object) => void errors.push(fields) } }
  const chain = await own.deps.networks.open('ethereum')
  const blockAt = async (number: number) => ({ hash: hashOf(number), at: new Date(number === 0 ? 0 : Date.now()) })
  const grown = { ...source, most: 9, blockAt, head: async () => head }
  await scanBlocks(deps, { ...chain, source: grown }, grown)
  const [told] = await own.movements()
  expect(told).toMatchObject({ kind: 'out', txHash: '0xpaid3' })
  const changes = async () => (await own.internal('GET', '/movements/changes')).body.items
  const [{ version }] = await changes()
  fork = 'b'
  head = 5
  await scanBlocks(deps, { ...chain, source: grown }, grown)
  expect(errors).toEqual([{ network: 'ethereum', movement: told?.id, txHash: '0xpaid3', place: 'out:0', block: 3 }])
  expect(await own.movements()).toHaveLength(1)
  const reversed = async () =>
    (await own.events()).filter(({ name }) => name === MovementReversed.name).map(({ data }) => data)
  expect(await reversed()).toEqual([{ ...told, reversedAt: expect.stringMatching(/Z$/) }])
  const [listed] = await changes()
  expect(listed).toMatchObject({ record: { id: told?.id, reversedAt: expect.any(String) } })
  expect(listed.version).toBeGreaterThan(version)
  fork = 'c'
  await scanBlocks(deps, { ...chain, source: grown }, grown)
  expect(await reversed()).toHaveLength(1)

  head = 7
  await scanBlocks(deps, { ...chain, source: grown }, grown)
  expect(await own.movements()).toMatchObject([{ id: told?.id }, { id: told?.id, place: 'out:0' }])
  expect(await changes()).toEqual([{ version: expect.any(Number), record: (await own.movements())[1] }])
  // What is read twice is told once.
  await own.deps.store.commit((tx) => rewind(tx, 'ethereum', { block: 5, hash: '0xc5' }))
  await scanBlocks(deps, { ...chain, source: grown }, grown)
  expect(await own.movements()).toHaveLength(2)
})

test('so is one in the newest block that was final', async () => {
  let fork = ''
  const { own, source } = await begin(1, async (from) => ({
    blocks: [block(from, `0x${fork}${from}`, '0x0')],
    transfers: fork === '' ? [paid(1, { from: alice, to: bob })] : [],
  }))
  await own.watch(alice, 'ethereum', { isPortfolio: true })
  const chain = await own.deps.networks.open('ethereum')
  source.blockAt = async (number) => ({ hash: number === 1 ? `0x${fork}1` : '0x0', at: new Date(0) })
  await scanBlocks(own.deps, { ...chain, source }, source)
  expect(await own.movements()).toHaveLength(1)
  fork = 'b'
  await scanBlocks(own.deps, { ...chain, source }, source)
  expect((await own.events()).filter(({ name }) => name === MovementReversed.name)).toHaveLength(1)
})
