// Nodes that lie in one field: what they give is not believed, nothing is paid twice or lost by it, and it says why it waits.
import { afterEach, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import type { Hex } from 'viem'
import type { TestBlockchain } from '../harness'
import { anvilBinary, bank, hotWallet } from './anvil'
import type { Lie, Question } from './lying-node'
import { behindLiar, confirmations, fresh } from './on-anvil'

describe.skipIf(!anvilBinary)('a node that lies in one field', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  const honest: Lie = () => undefined
  /** Changes fields of what the node answers to a method, where they are what is meant. */
  const changing =
    (
      method: string,
      fields: object,
      isMeant: (result: Record<string, unknown>, question: Question) => boolean = () => true,
    ): Lie =>
    (question, result) =>
      question.method === method && result && isMeant(result as Record<string, unknown>, question)
        ? { ...result, ...fields }
        : undefined
  const away = new Error('The node is away')
  const ethereum = async (service: TestBlockchain) =>
    (await service.get('/networks')).body.find(({ network }: { network: string }) => network === 'ethereum')
  const lastError = async (service: TestBlockchain): Promise<string> =>
    (await ethereum(service)).lastError?.message ?? ''

  test.each<[string, object]>([
    ['null', { status: null }],
    ['missing', { status: undefined }],
    ['with a leading zero', { status: '0x01' }],
    ['another number', { status: '0x2' }],
  ])('the status of a receipt, %s: a payment has not failed, a deposit is not passed over', async (_, fields) => {
    const { node, service, lies, depositOf } = await behindLiar(ends)
    const to = fresh()
    await service.watch(to)
    const { id } = await service.send({ from: hotWallet.address, to: fresh(), amount: '7' })
    const { txHash } = await service.reached(id, 'broadcast')
    await until(() => node.client.getTransaction({ hash: txHash as Hex }))
    lies.now = changing('eth_getTransactionReceipt', fields)
    const hash = await node.pay(to, 9n)
    await node.mine(confirmations + 2)
    const says = /^ethereum: A node gave a receipt without a status$/
    await until(async () => says.test((await service.get(`/sends/${id}`)).body.lastError ?? ''))
    await until(async () => says.test(await lastError(service)))
    expect((await service.get(`/sends/${id}`)).body.status).toBe('broadcast')
    lies.now = honest
    await service.reached(id, 'confirmed')
    await depositOf(hash)
  })

  test('the number of a block: nothing is final earlier', async () => {
    const { node, service, lies, depositOf } = await behindLiar(ends)
    const to = fresh()
    await service.watch(to)
    lies.now = changing('eth_getBlockByNumber', { number: '0xfffff' }, (_, { params }) => params[1] === true)
    const hash = await node.pay(to, 9n)
    await node.mine()
    await until(async () => /gave another block than was asked for/.test(await lastError(service)))
    expect(await service.deposits()).toEqual([])
    lies.now = honest
    await node.mine(confirmations)
    await depositOf(hash)
  })

  test('the transactions of a block, none: what came by them is not passed over', async () => {
    const { node, service, lies, depositOf } = await behindLiar(ends)
    const to = fresh()
    await service.watch(to)
    lies.now = changing('eth_getBlockByNumber', { transactions: [] }, (_, { params }) => params[1] === true)
    const hash = await node.pay(to, 9n)
    await node.mine(confirmations)
    await until(async () => /gave block \d+ without its transactions$/.test(await lastError(service)))
    expect(await service.deposits()).toEqual([])
    lies.now = honest
    await depositOf(hash)
  })

  // Its traces are of the token's deployment as well, in the block before.
  test.each([
    ['by itself', false],
    ['with the block before', true],
  ])('the transactions of a block, without that of a log, read %s: it is read all the same', async (_, isFirst) => {
    // The token's decimals are asked for when it is registered.
    const unread: Lie = ({ method }) => (method === 'eth_call' || method === 'eth_chainId' ? undefined : away)
    const { node, service, token, lies, depositOf } = await behindLiar(ends, isFirst ? { lie: unread } : {})
    const to = fresh()
    await service.watch(to)
    if (!isFirst) await until(async () => (await ethereum(service)).scannedTo === 1)
    await node.pay(fresh(), 1n)
    const hash = await node.write(token, 'transfer', [to, 9n])
    const lie: Lie = ({ method, params }, result) => {
      if (method !== 'eth_getBlockByNumber' || params[1] !== true || !result) return undefined
      const { transactions } = result as { transactions: { hash: string }[] }
      return { ...result, transactions: transactions.filter((each) => each.hash !== hash) }
    }
    if (!isFirst) lies.now = lie
    await node.mine(confirmations)
    lies.now = lie
    expect(await depositOf(hash)).toMatchObject({ amount: '9', logIndex: 1 })
  })

  test('the traces of a block, with one of another block: it is not believed, and nothing is passed over', async () => {
    const { node, service, lies, depositOf } = await behindLiar(ends)
    const to = fresh()
    const { transactions } = await node.client.getBlock({ blockNumber: 1n })
    await service.watch(to)
    await until(async () => (await ethereum(service)).scannedTo === 1)
    lies.now = ({ method }, result) => {
      if (method === 'trace_block') return new Error('The node has no such method')
      if (method !== 'debug_traceBlockByNumber' || !Array.isArray(result) || result.length === 0) return undefined
      const calls = [{ type: 'CALL', from: bank.address, to, value: '0x5' }]
      const frame = { type: 'CALL', from: bank.address, to: fresh(), value: '0x0', calls }
      return [...result, { txHash: transactions[0], result: frame }]
    }
    const hash = await node.pay(to, 9n)
    await node.mine(confirmations)
    await until(async () => /does not tell yet what happened in block 2$/.test(await lastError(service)))
    expect(await service.deposits()).toEqual([])
    lies.now = honest
    expect(await depositOf(hash)).toMatchObject({ amount: '9' })
    expect(await service.deposits()).toHaveLength(1)
  })

  test.each<[string, unknown]>([
    ['0', '0x0'],
    ['missing', undefined],
    ['beyond all years', `0x${'f'.repeat(16)}`],
  ])('the time of a block, %s: what came in it is not passed over', async (_, timestamp) => {
    const { node, service, lies, depositOf } = await behindLiar(ends)
    const to = fresh()
    await service.watch(to)
    lies.now = changing('eth_getBlockByNumber', { timestamp }, (_, { params }) => params[1] === true)
    const hash = await node.pay(to, 9n)
    await node.mine(confirmations)
    await until(async () => /time/.test(await lastError(service)))
    expect(await service.deposits()).toEqual([])
    lies.now = honest
    await depositOf(hash)
  })

  test.each<[string, object, RegExp?]>([
    ['gas used, null', { gasUsed: null }, /^A node of ethereum failed$/],
    ['gas used, above its limit', { gasUsed: '0xffffffff' }],
    ['price, above what was signed', { effectiveGasPrice: `0x${'f'.repeat(64)}` }],
    ['sender', { from: `0x${'ab'.repeat(20)}` }],
  ])(
    '%s of a payment: no other fee is booked than was signed',
    async (_, fields, says = /with another sender or fee/) => {
      const { node, service, lies } = await behindLiar(ends)
      const { id } = await service.send({ from: hotWallet.address, to: fresh(), amount: '7' })
      const { txHash } = await service.reached(id, 'broadcast')
      await until(() => node.client.getTransaction({ hash: txHash as Hex }))
      lies.now = changing('eth_getTransactionReceipt', fields)
      await node.mine(confirmations + 2)
      await until(async () => says.test((await service.get(`/sends/${id}`)).body.lastError ?? ''))
      expect(await service.movements()).toEqual([])
      lies.now = honest
      await service.reached(id, 'confirmed')
      const { gasUsed, effectiveGasPrice } = await node.client.getTransactionReceipt({ hash: txHash as Hex })
      expect(await service.movements()).toMatchObject([
        { kind: 'fee', txHash, address: hotWallet.address, amount: `${gasUsed * effectiveGasPrice}` },
      ])
    },
  )
})
