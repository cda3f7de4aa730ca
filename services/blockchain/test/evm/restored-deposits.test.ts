// After a restore of this service alone: what came to watched addresses meanwhile.
import { afterEach, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { findWatched } from '../../src/watching/watched'
import { anvilBinary } from './anvil'
import { confirmations, fresh } from './on-anvil'
import { restorable } from './restorable'

describe.skipIf(!anvilBinary)('a database that is set back', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  const begin = () => restorable(ends)

  test('sees what came to an address that it has forgotten, once that is watched again', async () => {
    const { node, service, backUp, restore } = await begin()
    const [known, forgotten] = [fresh(), fresh()]
    await service().watch(known)
    const first = await node.pay(known, 1n)
    await node.mine(confirmations)
    const told = async (hash: string) =>
      (await service().internal('GET', '/deposits/changes')).body.items.filter(
        ({ record }: { record: { txHash: string } }) => record.txHash === hash,
      ).length
    await until(async () => (await told(first)) === 1)
    await backUp()
    const backedUpAt = Date.now()
    await service().watch(forgotten)
    const hash = await node.pay(forgotten, 2n)
    await node.mine(confirmations)
    await until(async () => (await told(hash)) === 1)
    await restore()
    // It has read past it by then.
    const last = await node.pay(known, 3n)
    await node.mine(confirmations)
    await until(async () => (await told(last)) === 1)
    expect(await told(hash)).toBe(0)
    await service().watch(forgotten)
    await until(async () => (await told(hash)) === 1)
    expect([await told(first), await told(last)]).toEqual([1, 1])
    const watched = await findWatched(service().deps.store.read, 'ethereum', forgotten.toLowerCase())
    expect(watched?.watchedAt.getTime()).toBeLessThan(backedUpAt)
  })

  test('reads the blocks again, and tells of the same deposits in their places', async () => {
    const { node, service, backUp, restore } = await begin()
    const to = fresh()
    await service().watch(to)
    const first = await node.pay(to, 1n)
    await node.mine(confirmations)
    const told = async () =>
      (await service().internal('GET', '/deposits/changes')).body.items.map(
        ({ record }: { record: { txHash: string; amount: string } }) => [record.txHash, record.amount],
      )
    await until(async () => (await told()).length === 1)
    await backUp()
    const hash = await node.pay(to, 2n)
    await node.mine(confirmations)
    await until(async () => (await told()).length === 2)
    await restore()
    await until(async () => (await told()).length === 2)
    expect(await told()).toEqual([
      [first, '1'],
      [hash, '2'],
    ])
  })
})
