// What the reading of a network believes while its nodes do not show the same chain.
import { afterEach, expect, test } from 'bun:test'
import { createClient, custom } from 'viem'
import { createAgreement } from '../src/networks/evm/agreement'
import { readBlocks } from '../src/watching/watching.table'
import { testBlockchain } from './harness'
import { block, madeUpBlocks, paid } from './made-up-blocks'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

test('a node on another fork reverses nothing that was published before every node has shown that fork', async () => {
  let fork = ''
  const hashOf = (number: number) => (number > 1 ? `0x${fork}${number}` : `0x${number}`)
  const { own, source, scan, cursor } = await madeUpBlocks(ends, {
    head: 4,
    most: 9,
    read: async (from, to) => {
      const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
      const blocks = numbers.map((number) => block(number, hashOf(number), hashOf(number - 1)))
      return { blocks, transfers: fork === '' && numbers.includes(3) ? [paid(3)] : [] }
    },
  })
  source.blockAt = async (number) => ({ hash: hashOf(number), at: new Date(number === 0 ? 0 : Date.now()) })
  await scan()
  expect(await own.deposits()).toHaveLength(1)
  fork = 'b'
  const asked: unknown[][] = []
  source.isAgreed = async (...question) => {
    asked.push(question)
    return false
  }
  await expect(scan()).rejects.toThrow('The nodes of ethereum do not all show another block 2 than before')
  expect(asked).toEqual([[2, '0xb2', true]])
  expect(await cursor()).toBe(4)
  expect(await own.depositEvents()).toHaveLength(1)
  // The other node answers in between, and both have come back to the blocks that were read.
  const { blockAt } = source
  let looks = 0
  source.isAgreed = async () => true
  source.blockAt = async (number) => {
    if (number === 2) looks += 1
    return number === 2 && looks > 1 ? { hash: '0x2', at: new Date() } : await blockAt(number)
  }
  await expect(scan()).rejects.toThrow('The nodes of ethereum do not all show another block 2 than before')
  expect(await own.depositEvents()).toHaveLength(1)
  source.blockAt = blockAt
  await scan()
  expect((await own.depositEvents()).map(({ reversedAt }) => reversedAt !== null)).toEqual([false, true])
})

test('what was published with fewer confirmations than are asked for now is taken back no sooner', async () => {
  let fork = ''
  const hashOf = (number: number) => (number > 1 ? `0x${fork}${number}` : `0x${number}`)
  const { own, source, scan } = await madeUpBlocks(ends, {
    head: 4,
    most: 9,
    read: async (from, to) => {
      const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
      const blocks = numbers.map((number) => block(number, hashOf(number), hashOf(number - 1)))
      return { blocks, transfers: fork === '' && numbers.includes(3) ? [paid(3)] : [] }
    },
  })
  source.blockAt = async (number) => ({ hash: hashOf(number), at: new Date(number === 0 ? 0 : Date.now()) })
  await scan()
  expect(await own.deposits()).toHaveLength(1)
  const { settings } = await own.deps.networks.open('ethereum')
  settings.confirmations = 9
  fork = 'b'
  source.isAgreed = async (_, __, byAll) => byAll !== true
  await expect(scan()).rejects.toThrow('The nodes of ethereum do not all show another block 2 than before')
  expect(await own.depositEvents()).toHaveLength(1)
  source.isAgreed = async () => true
  await scan()
  expect((await own.depositEvents()).map(({ reversedAt }) => reversedAt !== null)).toEqual([false, true])
})

test('where no blocks are remembered, it is the last one read that every node must show as another', async () => {
  const { own, source, scan } = await madeUpBlocks(ends, {
    head: 4,
    most: 9,
    read: async (from, to) => {
      const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
      return { blocks: numbers.map((number) => block(number)), transfers: numbers.includes(2) ? [paid(2)] : [] }
    },
  })
  const { settings } = await own.deps.networks.open('ethereum')
  settings.confirmations = 3
  await scan()
  expect(await own.deposits()).toHaveLength(1)
  // As when it was set back far for an address that a restore had forgotten.
  await own.deps.store.commit(async (tx) => void (await tx.delete(readBlocks)))
  const { blockAt } = source
  source.blockAt = async (number) => (number === 4 ? { hash: '0xlie', at: new Date() } : await blockAt(number))
  source.isAgreed = async (_, hash) => hash !== '0xlie'
  await expect(scan()).rejects.toThrow('The nodes of ethereum do not all show another block 4 than before')
  source.blockAt = blockAt
  await scan()
  expect(await own.depositEvents()).toHaveLength(1)
})

test('a node that is away, or behind, keeps all from agreeing, and none of those that answer; nor is an older answer enough', async () => {
  const own = await testBlockchain({ workers: false })
  ends.push(() => own.stop())
  const { settings } = await own.deps.networks.open('ethereum')
  const report = { good: () => {}, bad: () => {} }
  const header = { number: '0x2', hash: '0xb2', parentHash: '0x1', timestamp: '0x1', transactions: [] }
  let answer: () => object | null = () => header
  const nodes = [() => header, () => answer()].map((shown) =>
    createClient({ transport: custom({ request: async () => shown() }, { retryCount: 0 }), cacheTime: 0 }),
  )
  const agree = createAgreement(settings, nodes, report)
  expect(await agree(2n, '0xb2', true)).toBe(true)
  const silent = [
    () => null,
    () => {
      throw new Error('It is away')
    },
  ]
  for (const none of silent) {
    answer = none
    expect(await agree(2n, '0xb2', true)).toBe(false)
    expect(await createAgreement(settings, nodes, report)(2n, '0xb2')).toBe(true)
  }
})
