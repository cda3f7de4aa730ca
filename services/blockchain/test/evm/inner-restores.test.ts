// What a contract has paid has another place by traces than by balances: a block is read again as it was read before.
import { afterEach, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { metaValue } from '@bursar/store'
import { until } from '@bursar/testing'
import type { Hex } from 'viem'
import { anvilBinary, bank } from './anvil'
import { type Lie, lyingNode } from './lying-node'
import { confirmations, fresh } from './on-anvil'
import { restorable } from './restorable'

/** Pays on what it gets, to the address in its data. */
const payer = '0x600f600c600039600f6000f36000600060006000346000355af100'
const withoutTraces: Lie = ({ method }) =>
  method === 'debug_traceBlockByNumber' || method === 'trace_block'
    ? new Error('the method is not available')
    : undefined

describe.skipIf(!anvilBinary)('coins that a contract paid, told again after a restore', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  async function begin(lie: Lie, ofOthers: readonly Lie[] = []) {
    const lies = { now: lie }
    const scene = await restorable(ends, {}, (url) => {
      const told = [(...answer: Parameters<Lie>) => lies.now(...answer), ...ofOthers].map((each) =>
        lyingNode(url, each),
      )
      ends.push(...told.map((liar) => () => liar.stop()))
      return told.map((liar) => liar.url).join()
    })
    const { node, service } = scene
    const to = fresh()
    await service().watch(to)
    const hash = await node.client.sendTransaction({ account: bank, data: payer, gas: 200_000n })
    await node.mine()
    const contract = (await node.client.getTransactionReceipt({ hash })).contractAddress as Hex
    const pay = async (value: bigint) => {
      const data = `0x${to.slice(2).padStart(64, '0')}` as Hex
      const txHash = await node.client.sendTransaction({ account: bank, to: contract, value, data, gas: 200_000n })
      await node.mine(confirmations)
      return txHash
    }
    /** Amount and place of each, in the order in which they were told. */
    const told = async (): Promise<[string, string, number][]> =>
      (await service().internal('GET', '/deposits/changes')).body.items.map(
        ({ record }: { record: { amount: string; txHash: string; logIndex: number } }) =>
          [record.amount, record.txHash, record.logIndex] as const,
      )
    const toldOf = (amount: string) =>
      until(async () => (await told()).find((each) => each[0] === amount), { what: `the deposit of ${amount}` })
    const lastError = async () =>
      (await service().get('/networks')).body.find(({ network }: { network: string }) => network === 'ethereum')
        .lastError
    return { ...scene, lies, pay, told, toldOf, lastError }
  }

  test('first by traces: a node without them is waited for, up to what was read before', async () => {
    const { node, lies, pay, told, toldOf, lastError, backUp, restore } = await begin(() => undefined)
    await pay(1n)
    await toldOf('1')
    await backUp()
    await pay(2n)
    const second = await toldOf('2')
    lies.now = withoutTraces
    await restore()
    await until(async () => /does not tell what happened in block \d+ by traces, as/.test((await lastError())?.message))
    expect((await told()).map(([amount]) => amount)).toEqual(['1'])
    lies.now = () => undefined
    expect(await toldOf('2')).toEqual(second)
    await node.mine(confirmations)
    expect(await told()).toHaveLength(2)
  })

  test('first by balances: a node with traces is not asked for them, up to what was read before', async () => {
    const { lies, pay, told, toldOf, backUp, restore, restart } = await begin(withoutTraces)
    await pay(1n)
    await toldOf('1')
    await backUp()
    await pay(2n)
    const second = await toldOf('2')
    lies.now = () => undefined
    await restore()
    await restart()
    expect(await toldOf('2')).toEqual(second)
    // What comes from now on was never read.
    const hash = await pay(3n)
    expect((await toldOf('3')).slice(1)).toEqual([hash, 2 ** 30 + 1])
    expect(await told()).toHaveLength(3)
  })

  test('set back once more: what was read between the two counts as read', async () => {
    const { node, service, lies, pay, toldOf, backUp, restore } = await begin(withoutTraces)
    const unread = async (): Promise<number> =>
      JSON.parse((await metaValue(service().deps.store.read, 'inner_unread')) ?? '{}').ethereum ?? 0
    await pay(1n)
    await toldOf('1')
    await backUp()
    lies.now = () => undefined
    await restore()
    for (const value of [2n, 3n]) {
      await pay(value)
      await toldOf(String(value))
    }
    const before = await unread()
    await backUp()
    lies.now = withoutTraces
    await node.mine(5)
    await restore()
    await node.pay(fresh(), 1n)
    await node.mine(confirmations)
    await until(async () => (await unread()) > before)
    expect(before).toBeGreaterThan(0)
  })

  test('a change that the backup does not know: it stands beside the database', async () => {
    const { lies, pay, told, toldOf, backUp, restore, restart, dataDir } = await begin(withoutTraces)
    await pay(1n)
    await toldOf('1')
    await backUp()
    lies.now = () => undefined
    await restart()
    const hash = await pay(2n)
    expect((await toldOf('2')).slice(1)).toEqual([hash, 2 ** 30 + 1])
    await restore()
    expect((await toldOf('2')).slice(1)).toEqual([hash, 2 ** 30 + 1])
    expect(await told()).toHaveLength(2)
    // Of a backup alone nothing else is known than what it says.
    rmSync(join(dataDir, 'blockchain-payments.run'))
    await restore()
    expect((await toldOf('2'))[1]).not.toBe(hash)
  })

  test('first by traces: after a start without the node that has them, it is waited for, not for the other one', async () => {
    const { node, lies, pay, told, toldOf, lastError, restart } = await begin(() => undefined, [withoutTraces])
    await pay(1n)
    await toldOf('1')
    lies.now = () => {
      throw new Error('it is away')
    }
    await restart()
    const hash = await pay(2n)
    // Longer than nodes without an archive remember states.
    await node.mine(110)
    await pay(3n)
    const now = Date.now()
    const { message } = await until(async () => {
      const error = await lastError()
      return error && Date.parse(error.at) > now && error
    })
    expect(message).toMatch(/^A node of ethereum failed|^No node of ethereum/)
    expect((await told()).map(([amount]) => amount)).toEqual(['1'])
    lies.now = () => undefined
    expect((await toldOf('2')).slice(1)).toEqual([hash, 2 ** 30 + 1])
    await toldOf('3')
  })
})
