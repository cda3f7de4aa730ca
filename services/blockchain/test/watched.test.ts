// The watched addresses that every scan asks for are read again when some were written, and then only.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { noteWatchAgain, watchedSince } from '../src/watching/watch-again'
import { watchedAddresses } from '../src/watching/watching.table'
import { accountId, alice, bob, type TestBlockchain, testBlockchain } from './harness'

let service: TestBlockchain
beforeAll(async () => {
  service = await testBlockchain({ workers: false })
})
afterAll(() => service.stop())

const keys = async (network: string) => [...(await service.deps.watched(network)).keys()].sort()

test('an address counts as soon as it is watched, and as a portfolio’s as soon as it is one', async () => {
  expect(await keys('arbitrum')).toEqual([])
  await service.watch(bob, 'arbitrum')
  expect(await keys('arbitrum')).toEqual([bob])
  await service.watch(alice, 'polygon')
  expect([await keys('arbitrum'), await keys('polygon')]).toEqual([[bob], [alice]])
  expect((await service.deps.watched('arbitrum')).get(bob)?.isPortfolio).toBe(false)
  await service.watch(bob, 'arbitrum', { isPortfolio: true })
  expect((await service.deps.watched('arbitrum')).get(bob)?.isPortfolio).toBe(true)
})

test('however many they are, all are there, and others are answered in between', async () => {
  const rows = Array.from({ length: 2500 }, (_, i) => {
    const key = `0x${String(i).padStart(40, '0')}`
    return { network: 'base', key, address: key, accountId, isPortfolio: false, watchedAt: new Date(0) }
  })
  await service.deps.store.commit(async (tx) => {
    for (const row of rows) await tx.insert(watchedAddresses).values(row)
  })
  let turns = 0
  let isReading = true
  const turn = () => {
    turns += 1
    if (isReading) setImmediate(turn)
  }
  setImmediate(turn)
  const read = await service.deps.watched('base')
  isReading = false
  expect([...read.keys()]).toEqual(rows.map(({ key }) => key))
  expect(turns).toBeGreaterThanOrEqual(2)
})

test('an address that is new within two days after a restore may have been watched since the state of then', async () => {
  const at = (hours: number) => new Date(Date.UTC(2026, 0, 10, hours))
  const later = new Date(at(48).getTime() + 1)
  const since = await service.deps.store.commit(async (tx) => {
    await noteWatchAgain(tx, at(-5), at(0))
    return [await watchedSince(tx, 'avalanche', at(48)), await watchedSince(tx, 'avalanche', later)]
  })
  expect(since).toEqual([at(-5), later])
})

test('what was not written is not read again', async () => {
  await service.watch(bob)
  const before = await service.deps.watched('ethereum')
  const { statements } = service.deps.store.counts()
  expect(await service.deps.watched('ethereum')).toBe(before)
  expect(service.deps.store.counts().statements).toBe(statements)
})
