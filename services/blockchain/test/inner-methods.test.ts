// Which way each block is read for what contracts pay: as it was read before.
import { afterEach, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { metaValue, putMetaValue } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { createInnerMethods, forgetUnread, type InnerMethod } from '../src/networks/inner-methods'
import { noteWatchAgain, wasEverSetBack } from '../src/watching/watch-again'
import { type TestBlockchain, testBlockchain } from './harness'

let service: TestBlockchain
afterEach(() => service.stop())

/** Runs of the service on one database, which is set back when the test says so. */
async function begin() {
  service = await testBlockchain({ workers: false })
  const { store } = service.deps
  const dataDir = tempDir()
  let head = 10
  const open = async () => {
    const methods = await createInnerMethods(store, dataDir, await wasEverSetBack(store.read))
    return (block: number, offered: InnerMethod | null, network = 'ethereum') =>
      methods.methodOf(network, block, offered, async () => head)
  }
  return {
    dataDir,
    open,
    grow: (to: number) => {
      head = to
    },
    setBack: () =>
      store.commit(async (tx) => {
        await noteWatchAgain(tx, new Date(), new Date())
        await forgetUnread(tx)
      }),
  }
}

test('the first block decides; a run that finds the other way offered takes it from its first block on', async () => {
  const { open } = await begin()
  const first = await open()
  expect(await first(5, 'balances')).toBe('balances')
  expect(await first(6, 'balances', 'polygon')).toBe('balances')
  const second = await open()
  expect(await second(8, 'traces')).toBe('traces')
  // Reorganised: block 7 was read by the run before.
  expect(await second(7, 'traces')).toBe('balances')
  expect(await second(3, 'traces')).toBe('balances')
  expect(await second(9, 'balances', 'polygon')).toBe('balances')
  const third = await open()
  expect([await third(7, 'traces'), await third(8, 'traces')]).toEqual(['balances', 'traces'])
})

test('a run takes another way from a block that it has not read; while none is offered for certain, the one before holds', async () => {
  const { open } = await begin()
  const first = await open()
  expect([await first(5, null), await first(6, 'balances'), await first(7, null)]).toEqual(Array(3).fill('balances'))
  expect([await first(7, 'traces'), await first(8, 'traces')]).toEqual(['balances', 'traces'])
  expect([await first(7, 'traces'), await first(9, null)]).toEqual(['balances', 'traces'])
  // Without the node that traces nothing of block 9 was read.
  expect([await first(9, 'balances'), await first(8, 'balances')]).toEqual(['balances', 'traces'])
})

test('networks whose first blocks are read at the same time are all in the file', async () => {
  const { dataDir, open } = await begin()
  const methodOf = await open()
  const networks = ['ethereum', 'polygon', 'base', 'arbitrum']
  await Promise.all(networks.map((network, i) => methodOf(5 + i, 'traces', network)))
  const noted = JSON.parse(readFileSync(join(dataDir, 'blockchain-payments.run'), 'utf8'))
  expect(noted).toEqual(Object.fromEntries(networks.map((network, i) => [network, [{ from: 5 + i, by: 'traces' }]])))
})

test('what a crash has kept out of the file, or a restore out of the database, is there after the next start', async () => {
  const { dataDir, open } = await begin()
  const first = await open()
  expect(await first(5, 'balances')).toBe('balances')
  const file = join(dataDir, 'blockchain-payments.run')
  const noted = readFileSync(file, 'utf8')
  rmSync(file)
  await open()
  expect(readFileSync(file, 'utf8')).toBe(noted)
  const inDatabase = () => metaValue(service.deps.store.read, 'inner_ways')
  await service.deps.store.commit((tx) => putMetaValue(tx, 'inner_ways', '{}'))
  await open()
  expect(await inDatabase()).toBe(noted)
})

/** Two instances on one database, each with a machine of its own. */
async function beginTwo() {
  await begin()
  const { store } = service.deps
  const instance = async () => {
    const methods = await createInnerMethods(store, tempDir(), false)
    return (block: number, offered: InnerMethod, network: string) =>
      methods.methodOf(network, block, offered, async () => 10)
  }
  return { instance, one: await instance(), other: await instance() }
}

test('where two instances find a network at a time and are offered different ways, both read it in the first', async () => {
  const { instance, one, other } = await beginTwo()
  expect(await one(5, 'balances', 'ethereum')).toBe('balances')
  expect(await other(5, 'traces', 'ethereum')).toBe('balances')
  expect(await (await instance())(5, 'balances', 'ethereum')).toBe('balances')
})

test('what two instances find at a time is known to both, and to those that follow', async () => {
  const { instance, one, other } = await beginTwo()
  expect(await one(5, 'balances', 'ethereum')).toBe('balances')
  expect(await other(5, 'balances', 'polygon')).toBe('balances')
  const third = await instance()
  for (const [run, network] of [
    [other, 'ethereum'],
    [third, 'ethereum'],
    [third, 'polygon'],
  ] as const) {
    expect(await run(9, 'traces', network)).toBe('traces')
    expect(await run(5, 'traces', network)).toBe('balances')
  }
})

test('after a restore all that the chain has by then counts as read, in each run that follows, and for each network', async () => {
  const { open, grow, setBack } = await begin()
  const first = await open()
  for (const network of ['ethereum', 'polygon']) expect(await first(5, 'balances', network)).toBe('balances')
  await setBack()
  const second = await open()
  expect(await second(6, 'traces')).toBe('balances')
  grow(20)
  const third = await open()
  expect([await third(10, 'traces'), await third(11, 'traces')]).toEqual(['balances', 'traces'])
  expect(await third(20, 'traces', 'polygon')).toBe('balances')
  expect(await third(21, 'traces', 'polygon')).toBe('traces')
  // Back, and set back once more: now more was read.
  const fourth = await open()
  expect(await fourth(15, 'balances')).toBe('balances')
  await setBack()
  const fifth = await open()
  expect([await fifth(19, 'traces'), await fifth(20, 'traces')]).toEqual(['balances', 'balances'])
  expect(await fifth(21, 'traces')).toBe('traces')
})

test('from where two instances have found networks unread after a restore is known to those that follow', async () => {
  const { open, grow, setBack } = await begin()
  const first = await open()
  for (const network of ['ethereum', 'polygon']) expect(await first(5, 'balances', network)).toBe('balances')
  await setBack()
  const [one, other] = [await open(), await open()]
  expect(await one(6, 'traces', 'ethereum')).toBe('balances')
  expect(await other(6, 'traces', 'polygon')).toBe('balances')
  grow(20)
  const third = await open()
  for (const network of ['ethereum', 'polygon']) expect(await third(11, 'traces', network)).toBe('traces')
})

test('what stands beside the database counts beyond what the database says; a file that cannot be read counts for nothing', async () => {
  const { dataDir, open } = await begin()
  await (await open())(5, 'balances')
  const file = join(dataDir, 'blockchain-payments.run')
  const kept = JSON.parse(readFileSync(file, 'utf8'))
  kept.ethereum.push({ from: 8, by: 'traces' })
  await Bun.write(file, JSON.stringify(kept))
  const second = await open()
  expect([await second(7, 'traces'), await second(8, 'traces')]).toEqual(['balances', 'traces'])
  await Bun.write(file, 'no JSON')
  expect(await (await open())(5, 'balances')).toBe('balances')
  rmSync(file)
  expect(await (await open())(5, 'balances')).toBe('balances')
})
