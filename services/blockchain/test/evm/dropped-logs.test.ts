// A node whose receipt of a transaction lacks one of its logs: the deposit in it would be lost, or those behind it would
// be at another place than the next time they are read, and be credited once more.
import { afterEach, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { concat, type Hex, pad, toHex } from 'viem'
import { transferTopic } from '../../src/networks/evm/erc20'
import { anvilBinary, bank } from './anvil'
import { behindLiar, confirmations, fresh } from './on-anvil'

/** LOG3 of a transfer from the caller to the word at this place of the call's data; its amount is in the memory. */
const transferTo = (place: Hex): Hex => concat(['0x60', place, '0x3533', '0x7f', transferTopic, '0x60206000a3'])
/** LOG1 of something else. */
const other = '0x600160006000a1'
/** A contract of four logs: two equal ones, and of transfers of the third word to the first and to the second. */
const runtime = concat([other, other, '0x604035600052', transferTo('0x00'), transferTo('0x20'), '0x00'])
const fourLogs = concat(['0x6069600c60003960696000f3', runtime])

describe.skipIf(!anvilBinary)('a receipt', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  const isEthereum = ({ name, network = name }: Record<string, string>) => network === 'ethereum'
  type Receipt = { logs?: unknown[] | undefined; logsBloom?: string | undefined }
  const logs = (dropped: (all: unknown[]) => unknown[]) => (receipt: Receipt) => ({ logs: dropped(receipt.logs ?? []) })
  const bloom = (logsBloom: string | undefined) => () => ({ logsBloom })
  const lacksLog = /^ethereum: A node gave a receipt without a log/
  const lacksBloom = /^ethereum: A node gave a logsBloom that has not 256 bytes/
  test.each<[string, (receipt: Receipt) => Partial<Receipt>, RegExp, receivers: number]>([
    ['lacks its first logs', logs((all) => all.slice(2)), lacksLog, 2],
    ['lacks one of two equal logs before others', logs((all) => all.toSpliced(1, 1)), lacksLog, 2],
    ['lacks a log between others', logs((all) => all.toSpliced(2, 1)), lacksLog, 2],
    ['lacks its last log', logs((all) => all.slice(0, 3)), lacksLog, 2],
    ['lacks one of two equal transfers', logs((all) => all.slice(0, 3)), lacksLog, 1],
    [
      'lacks all logs and their list',
      () => ({ logs: undefined }),
      /^ethereum: A node gave a receipt without a list/,
      2,
    ],
    ['lacks its bloom filter', bloom(undefined), lacksBloom, 2],
    ['has an empty bloom filter', bloom('0x'), lacksBloom, 2],
    ['has a bloom filter of other letters', bloom('0xZ'.padEnd(514, '0')), lacksBloom, 2],
  ])('that %s: the cursor waits until it is whole', async (_, changed, words, several) => {
    const { node, service, lies, depositOf } = await behindLiar(ends)
    const deployed = await node.client.sendTransaction({ account: bank, data: fourLogs, gas: 200_000n })
    await node.mine()
    const contractAddress = (await node.client.getTransactionReceipt({ hash: deployed })).contractAddress as Hex
    await service.internal('POST', '/tokens', { network: 'ethereum', contractAddress, code: 'FOUR', decimals: 6 })
    const first = fresh()
    const receivers = [first, several === 1 ? first : fresh()] as const
    for (const to of new Set(receivers)) await service.watch(to)
    lies.now = ({ method }, result) => {
      if (method !== 'eth_getTransactionReceipt' || !result) return undefined
      return { ...result, ...changed(result as Receipt) }
    }
    const data = concat([...receivers.map((to) => pad(to)), toHex(5, { size: 32 })])
    const hash = await node.client.sendTransaction({ account: bank, to: contractAddress, data, gas: 200_000n })
    await node.mine(confirmations)
    const waits = async () => (await service.get('/networks')).body.find(isEthereum).lastError?.message ?? ''
    // On a busy machine a pass may fail by its time limit, too.
    await until(async () => words.test(await waits()))
    expect(await service.deposits()).toEqual([])
    // Of two equal logs nothing tells which are missing.
    if (several > 1) expect((await service.get(`/transactions/${hash}`)).status).toBe(502)
    lies.now = () => undefined
    await depositOf(hash)
    const places = (await service.deposits()).map(({ logIndex, address }) => [logIndex, address])
    expect(places.sort()).toEqual([
      [3, receivers[0]],
      [4, receivers[1]],
    ])
  })
})
