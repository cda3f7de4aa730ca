// What became of signed transactions, by the chain alone (contracts, getSignatureFates).
import { afterEach, describe, expect, test } from 'bun:test'
import type { SignatureFate, SignedBefore } from '@bursar/contracts/blockchain'
import { until } from '@bursar/testing'
import {
  type Hex,
  keccak256,
  parseEther,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'
import { refused } from '../harness'
import { anvilBinary, hotWallet } from './anvil'
import type { Lie } from './lying-node'
import { behindLiar, confirmations, fresh } from './on-anvil'

describe.skipIf(!anvilBinary)('POST /internal/signatures/fates', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  /** The service in front of a node that lies, when it is told to. */
  async function begin(lie: Lie = () => undefined) {
    const { node, service, token, lies } = await behindLiar(ends, { lie })
    const fates = async (...items: SignedBefore[]) => {
      const { status, body } = await service.internal<{ items: (SignatureFate | null)[] }>(
        'POST',
        '/signatures/fates',
        { items },
      )
      expect(status).toBe(200)
      return body.items
    }
    const fateOf = async (item: SignedBefore) => (await fates(item))[0]
    /** A transaction of the hot wallet's that is signed and not handed over. */
    async function signed(nonce: number, fields: object = {}) {
      const { hash, raw } = await sign(nonce, fields)
      const item: SignedBefore = { ...place, txHash: hash, nonce }
      return { item, raw, handOver: () => node.client.sendRawTransaction({ serializedTransaction: raw }) }
    }
    async function sign(nonce: number, fields: object) {
      const raw = await hotWallet.signTransaction({
        type: 'eip1559',
        chainId: 31_337,
        nonce,
        gas: 100_000n,
        maxFeePerGas: 100_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
        to: fresh(),
        value: 1n,
        ...fields,
      })
      return { raw, hash: keccak256(raw) }
    }
    return { node, service, token, lies, fates, fateOf, signed }
  }
  const place = { network: 'ethereum', sender: hotWallet.address, blockhash: null }

  test('open while it is in no final block, then final', async () => {
    const { node, fateOf, signed } = await begin()
    const { item, handOver } = await signed(0)
    expect(await fateOf(item)).toEqual({
      txHash: item.txHash,
      fate: 'open',
      reason: 'No final transaction has its nonce 0',
    })
    await handOver()
    expect((await fateOf(item))?.fate).toBe('open')
    for (let depth = 1; depth < confirmations; depth += 1) {
      await node.mine()
      expect(await fateOf(item)).toMatchObject({ fate: 'open', reason: 'It is in a block that is not final' })
    }
    await node.mine()
    expect(await fateOf(item)).toEqual({ txHash: item.txHash, fate: 'final', reason: null })
  })

  test('reverted, with the reason, when it moved nothing', async () => {
    const { node, token, fateOf, signed } = await begin()
    const word = (text: string) => text.slice(2).padStart(64, '0').toLowerCase()
    const data = `0xa9059cbb${word(fresh())}${'5'.padStart(64, '0')}`
    const { item, handOver } = await signed(0, { to: token, value: 0n, data })
    await node.deployToken()
    await handOver()
    await node.mine(confirmations)
    expect(await fateOf(item)).toMatchObject({ fate: 'reverted', reason: expect.stringMatching(/^execution reverted/) })
  })

  test('what took its nonce is its replacement only where it pays the same', async () => {
    const { node, service, signed } = await begin()
    const { sending } = await service.deps.networks.open('ethereum')
    const to = fresh()
    const [ours, same] = [await signed(0, { to, value: 7n }), await signed(0, { to, value: 7n, gas: 99_000n })]
    const [next, other] = [await signed(1, { to, value: 7n }), await signed(1, { to, value: 8n })]
    for (const each of [same, other]) await each.handOver()
    await node.mine(confirmations)
    const lossOf = async ({ item: { txHash, nonce }, raw }: typeof ours) => {
      const { r: _r, s: _s, v: _v, yParity: _y, ...said } = parseTransaction(raw)
      const unsigned = serializeTransaction(said as TransactionSerializableEIP1559)
      const of = { signers: [hotWallet.address], nonce, expiresAt: null, createdAt: new Date() }
      return await sending.lossOf(hotWallet.address, [{ ...of, unsigned, signed: raw, txHash }])
    }
    expect(await lossOf(ours)).toMatchObject({ replacement: { txHash: same.item.txHash } })
    expect(await lossOf(next)).toBe('lost')
  })

  test('dead once another transaction with its nonce is final, and not before', async () => {
    const { node, fateOf, signed } = await begin()
    const [lost, taker] = [await signed(0), await signed(0, { value: 2n })]
    await taker.handOver()
    await node.mine(confirmations - 1)
    expect((await fateOf(lost.item))?.fate).toBe('open')
    await node.mine()
    expect(await fateOf(lost.item)).toMatchObject({
      fate: 'dead',
      reason: `Its nonce 0 was taken by ${taker.item.txHash}`,
    })
    expect((await fateOf(taker.item))?.fate).toBe('final')
  })

  test('many at once, each with its own; a later nonce stays open', async () => {
    const { node, fates, signed } = await begin()
    const [paid, dead, later] = [await signed(0), await signed(0, { value: 2n }), await signed(1)]
    await paid.handOver()
    await node.mine(confirmations)
    const answers = await fates(later.item, dead.item, paid.item)
    expect(answers.map((answer) => answer?.fate)).toEqual(['open', 'dead', 'final'])
    expect(answers[0]?.reason).toBe('No final transaction has its nonce 1')
  })

  test('a nonce that was taken long ago, by one of many transactions in its block', async () => {
    const { node, fateOf, signed } = await begin()
    const sent = await Promise.all([0, 1, 2].map((nonce) => signed(nonce)))
    for (const { handOver } of sent) await handOver()
    await node.pay(fresh(), parseEther('1'))
    await node.mine(100)
    const lost = await signed(1, { value: 3n })
    expect(await fateOf(lost.item)).toMatchObject({
      fate: 'dead',
      reason: expect.stringContaining(`${sent[1]?.item.txHash}`),
    })
  })

  test('a node that does not show the receipt, or what took the nonce, proves nothing', async () => {
    const { node, lies, fateOf, signed } = await begin()
    const { item, handOver } = await signed(0)
    await handOver()
    await node.mine(confirmations)
    lies.now = ({ method }) => (method === 'eth_getTransactionReceipt' ? null : undefined)
    expect(await fateOf(item)).toMatchObject({
      fate: 'open',
      reason: 'A block holds it, and the node does not show its receipt',
    })
    const lost = await signed(0, { value: 2n })
    lies.now = ({ method, params }, result) =>
      method === 'eth_getBlockByNumber' && params[1] === true ? { ...(result as object), transactions: [] } : undefined
    expect(await fateOf(lost.item)).toMatchObject({
      fate: 'open',
      reason: 'Its nonce 0 is spent, and the node does not show by what',
    })
    // It has forgotten the state of older blocks.
    await node.mine(20)
    const head = await node.client.getBlockNumber()
    lies.now = ({ method, params }) =>
      method === 'eth_getTransactionCount' && Number(params[1]) < Number(head) - 5
        ? new Error('missing trie node')
        : undefined
    expect((await fateOf(lost.item))?.fate).toBe('open')
    lies.now = () => undefined
    expect((await fateOf(lost.item))?.fate).toBe('dead')
  })

  test('a node that has forgotten old states, and a nonce that another send of ours has taken: the record leads to it', async () => {
    const { node, service, lies, fateOf, signed } = await begin()
    const { id } = await service.send({ from: hotWallet.address, to: fresh(), amount: '7' })
    const { txHash } = await service.reached(id, 'broadcast')
    await until(() => node.client.getTransaction({ hash: txHash as Hex }))
    await node.mine(confirmations)
    await service.reached(id, 'confirmed')
    await node.mine(20)
    const head = await node.client.getBlockNumber()
    const forgetful: Lie = ({ method, params }) =>
      method === 'eth_getTransactionCount' && Number(params[1]) < Number(head) - 5
        ? new Error('missing trie node')
        : undefined
    const { sending } = await service.deps.networks.open('ethereum')
    const lost = await signed(0, { value: 2n })
    const place = { txHash: lost.item.txHash, nonce: 0, expiresAt: null, createdAt: new Date() }
    const absent = { ...place, unsigned: unsignedOf(lost.raw), signed: lost.raw, signers: [hotWallet.address] }
    const lossOf = () => sending.lossOf(hotWallet.address, [absent])
    // What is recorded must be on the chain, and have that nonce.
    const untrue: Lie[] = [
      (question, result) => (question.method === 'eth_getTransactionReceipt' ? null : forgetful(question, result)),
      (question, result) =>
        question.method === 'eth_getTransactionReceipt' && result
          ? { ...(result as object), blockHash: `0x${'c'.repeat(64)}` }
          : forgetful(question, result),
      (question, result) =>
        question.method === 'eth_getTransactionByHash' && result
          ? { ...(result as object), nonce: '0x1' }
          : forgetful(question, result),
    ]
    for (const lie of untrue) {
      lies.now = lie
      expect([(await fateOf(lost.item))?.fate, await lossOf()]).toEqual(['open', 'none'])
    }
    lies.now = forgetful
    expect(await fateOf(lost.item)).toMatchObject({ fate: 'dead', reason: `Its nonce 0 was taken by ${txHash}` })
    expect(await lossOf()).toBe('lost')
    // Of a nonce that no send of ours has nothing is recorded.
    await node.client.sendRawTransaction({ serializedTransaction: (await signed(1)).raw })
    await node.mine(20)
    lies.now = ({ method, params }) =>
      method === 'eth_getTransactionCount' && Number(params[1]) < Number(head) + 15
        ? new Error('missing trie node')
        : undefined
    expect((await fateOf((await signed(1, { value: 9n })).item))?.fate).toBe('open')
  })

  test('a head that is only claimed makes nothing final, and nothing dead', async () => {
    const { node, lies, fates, signed } = await begin()
    const [paid, dead] = [await signed(0), await signed(0, { value: 2n })]
    await paid.handOver()
    await node.mine()
    const head = await node.client.getBlockNumber()
    lies.now = ({ method }) => (method === 'eth_blockNumber' ? `0x${(head + 50n).toString(16)}` : undefined)
    expect((await fates(paid.item, dead.item)).map((answer) => answer?.fate)).toEqual(['open', 'open'])
    // Blocks that do not follow from one another are no confirmations.
    lies.now = ({ method, params }, result) =>
      method === 'eth_blockNumber'
        ? `0x${(head + 50n).toString(16)}`
        : method === 'eth_getBlockByNumber' && result === null
          ? { ...emptyBlock, number: params[0] }
          : undefined
    expect((await fates(paid.item, dead.item)).map((answer) => answer?.fate)).toEqual(['open', 'open'])
  })

  test('null while no node can be asked, and for what is no hash of the network; 401 for callers other than the wallet', async () => {
    // From its first answer on: later ones are not asked for its chain again.
    const { lies, service, fates, signed } = await begin(({ method }) => (method === 'eth_chainId' ? '0x5' : undefined))
    const { item } = await signed(0)
    const other = { ...item, network: 'polygon', txHash: `0x${'1'.repeat(64)}` }
    expect(await fates(item, other)).toEqual([null, expect.objectContaining({ fate: 'dead' })])
    lies.now = () => undefined
    expect(
      await fates({ ...item, txHash: 'x' }, { ...item, network: 'no/net' }, { ...item, sender: 'x' }, item),
    ).toEqual([null, null, null, expect.objectContaining({ fate: 'open' })])
    const asLedger = await service.asService('core-ledger')
    for (const as of [undefined, asLedger]) {
      refused(await service.ask('POST', '/internal/signatures/fates', { items: [item] }, as), 401)
    }
  })
})

const unsignedOf = (raw: Hex): Hex => {
  const { r: _r, s: _s, v: _v, yParity: _y, ...said } = parseTransaction(raw as `0x02${string}`)
  return serializeTransaction(said as TransactionSerializableEIP1559)
}

const emptyBlock = {
  hash: `0x${'e'.repeat(64)}`,
  parentHash: `0x${'d'.repeat(64)}`,
  timestamp: '0x1',
  transactions: [],
  logsBloom: `0x${'0'.repeat(512)}`,
  gasUsed: '0x0',
  gasLimit: '0x1',
  baseFeePerGas: '0x1',
  difficulty: '0x0',
  size: '0x1',
  totalDifficulty: '0x0',
}
