// Coins that contracts pay: they are in no transaction's own value, and in no log.
import { afterEach, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import type { Hex } from 'viem'
import { type Anvil, anvilBinary, bank, hotWallet } from './anvil'
import { type Lie, lyingNode, timesAsked } from './lying-node'
import { behindLiar, confirmations, fresh } from './on-anvil'

/** Pays on what it gets, to the address in its data. */
const payer = '0x600f600c600039600f6000f36000600060006000346000355af100'
/** The same, and then reverts. */
const reverting = '0x6013600c60003960136000f36000600060006000346000355af160006000fd'
const word = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`

interface Named {
  network: string
}

describe.skipIf(!anvilBinary)('coins that a contract pays', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  const begin = (lie: Lie, env: Record<string, string> = {}) => behindLiar(ends, { lie, env })
  async function deploy(node: Anvil, data: Hex): Promise<Hex> {
    const hash = await node.client.sendTransaction({ account: bank, data, gas: 200_000n })
    await node.mine()
    return (await node.client.getTransactionReceipt({ hash })).contractAddress as Hex
  }
  const throughContract = (node: Anvil, contract: Hex, to: Hex, value: bigint) =>
    node.client.sendTransaction({ account: bank, to: contract, value, data: word(to), gas: 200_000n })

  const without =
    (...methods: string[]): Lie =>
    ({ method }) =>
      methods.includes(method) ? new Error('the method is not available') : undefined

  test.each([
    ['the calls of Geth', () => undefined],
    ['the list of others', without('debug_traceBlockByNumber')],
  ] as [string, Lie][])('by traces, %s: from the contract, in a place of its own', async (_what, lie) => {
    const { node, service, depositOf } = await begin(lie)
    const to = fresh()
    await service.watch(to)
    const [contract, failing] = [await deploy(node, payer), await deploy(node, reverting)]
    const nothing = await throughContract(node, failing, to, 9n)
    const hash = await throughContract(node, contract, to, 5n)
    await node.mine(confirmations)
    const deposit = await depositOf(hash)
    expect(deposit).toMatchObject({ logIndex: 2 ** 30 + 1, contractAddress: null, amount: '5', address: to })
    expect(deposit?.sourceAddress.toLowerCase()).toBe(contract.toLowerCase())
    expect((await service.deposits()).map(({ txHash }) => txHash)).toEqual([hash])
    expect(nothing).not.toBe(hash)
  })

  test('by balances, where a node has no traces: what no transaction explains, once', async () => {
    const { node, service } = await begin(without('debug_traceBlockByNumber', 'trace_block'))
    const [to, other] = [fresh(), fresh()]
    await service.watch(to)
    await service.watch(other)
    await service.watch(hotWallet.address)
    const contract = await deploy(node, payer)
    await throughContract(node, contract, to, 5n)
    const plain = await node.pay(to, 7n)
    // It pays, with a fee, and gets something by a contract in the same block.
    const out = await node.client.sendTransaction({ account: hotWallet, to: other, value: 3n })
    await throughContract(node, contract, hotWallet.address, 11n)
    await node.mine()
    const { hash: block } = await node.client.getBlock()
    await node.mine(confirmations)
    await until(async () => (await service.deposits()).length >= 3)
    const told = async () =>
      (await service.deposits()).map(({ txHash, address, amount }) => [txHash, address.toLowerCase(), amount])
    expect(await told()).toContainEqual([plain, to.toLowerCase(), '7'])
    expect(await told()).toContainEqual([block, to.toLowerCase(), '5'])
    expect(await told()).toContainEqual([block, hotWallet.address.toLowerCase(), '11'])
    const entries = (await service.get(`/addresses/${other}/transactions`)).body.data
    expect(entries.map(({ transactionHash }: { transactionHash: string }) => transactionHash)).toEqual([out])
    await node.mine(confirmations)
    const places = (await service.deposits()).map(({ txHash, logIndex }) => `${txHash} ${logIndex}`)
    expect(new Set(places).size).toBe(places.length)
    expect(places.filter((place) => place.startsWith(block))).toHaveLength(2)
  })

  test('not by balances where more addresses are watched than the setting says', async () => {
    const { node, liar, service, depositOf } = await begin(without('debug_traceBlockByNumber', 'trace_block'), {
      EVM_BALANCE_WATCH: '1',
    })
    const [to, other] = [fresh(), fresh()]
    await service.watch(to)
    await service.watch(other)
    await throughContract(node, await deploy(node, payer), to, 5n)
    const plain = await node.pay(to, 7n)
    await node.mine(confirmations)
    await depositOf(plain)
    expect(await service.deposits()).toHaveLength(1)
    expect(timesAsked(liar, 'eth_getBalance')).toBe(0)
  })

  test('a node that had traces and has none any more is waited for', async () => {
    const { node, liar, lies, service, depositOf } = await begin(() => undefined)
    const to = fresh()
    await service.watch(to)
    const first = await node.pay(to, 1n)
    await node.mine(confirmations)
    await depositOf(first)
    lies.now = without('debug_traceBlockByNumber', 'trace_block')
    const contract = await deploy(node, payer)
    const hash = await throughContract(node, contract, to, 5n)
    await node.mine(confirmations)
    const before = timesAsked(liar, 'debug_traceBlockByNumber')
    await until(() => timesAsked(liar, 'debug_traceBlockByNumber') > before + 3)
    expect(await service.deposits()).toHaveLength(1)
    lies.now = () => undefined
    expect(await depositOf(hash)).toMatchObject({ logIndex: 2 ** 30 + 1 })
  })

  test('a node with traces that is far behind the others is waited for', async () => {
    const behind = { now: false }
    const { node, service, depositOf } = await behindLiar(ends, {
      lie: without('debug_traceBlockByNumber', 'trace_block'),
      urls: (liar, url) => {
        const tracing = lyingNode(url, ({ method }) => {
          if (!behind.now) return undefined
          if (method === 'eth_blockNumber') return '0x5'
          return /trace/.test(method) ? Object.assign(new Error('block not found'), { code: -32_000 }) : undefined
        })
        ends.push(() => tracing.stop())
        return `${liar},${tracing.url}`
      },
    })
    const to = fresh()
    await service.watch(to)
    const contract = await deploy(node, payer)
    const first = await throughContract(node, contract, to, 5n)
    await node.mine(confirmations)
    await depositOf(first)
    behind.now = true
    const hash = await throughContract(node, contract, to, 6n)
    await node.mine(150)
    const plain = await node.pay(to, 7n)
    await node.mine(confirmations)
    const status = async () => (await service.get('/networks')).body.find((each: Named) => each.network === 'ethereum')
    const { blockNumber } = await node.client.getTransactionReceipt({ hash })
    const why = `does not tell yet what happened in block ${blockNumber}`
    await until(async () => (await status()).lastError?.message.endsWith(why))
    expect(await service.deposits()).toHaveLength(1)
    behind.now = false
    expect(await depositOf(hash)).toMatchObject({ amount: '6', logIndex: 2 ** 30 + 1 })
    await depositOf(plain)
  })

  test('the node that has traces is asked for them, whichever answers first; what is unseen without it, health says', async () => {
    const away = { now: true }
    const { node, service, depositOf } = await behindLiar(ends, {
      lie: without('debug_traceBlockByNumber', 'trace_block'),
      env: { EVM_BALANCE_WATCH: '1' },
      urls: (liar, url) => {
        const tracing = lyingNode(url, () => {
          if (away.now) throw new Error('it is away')
        })
        ends.push(() => tracing.stop())
        return `${liar},${tracing.url}`
      },
    })
    const health = async () => (await service.get('/health')).body.networks.ethereum
    const [to, other] = [fresh(), fresh()]
    await service.watch(to)
    await service.watch(other)
    const contract = await deploy(node, payer)
    await throughContract(node, contract, to, 5n)
    const plain = await node.pay(to, 7n)
    await node.mine(confirmations)
    await depositOf(plain)
    expect(await health()).toMatch(/^node 2 cannot be reached; payments by contracts are not seen: no node/)
    away.now = false
    await node.mine(100)
    const hash = await throughContract(node, contract, to, 6n)
    await node.mine(confirmations)
    expect(await depositOf(hash)).toMatchObject({ amount: '6', logIndex: 2 ** 30 + 1 })
    expect(await health()).toBe('ok')
    expect(await service.deposits()).toHaveLength(2)
  })
})
