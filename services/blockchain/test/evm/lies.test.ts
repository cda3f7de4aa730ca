// Nodes that lie, or lag: nothing is passed over, and nothing is final, by what one of them claims.
import { afterEach, describe, expect, test } from 'bun:test'
import { type LocalServer, until } from '@bursar/testing'
import type { Hex } from 'viem'
import type { TestBlockchain } from '../harness'
import { type Anvil, anvilBinary, bank, hotWallet } from './anvil'
import { type Lie, timesAsked } from './lying-node'
import { behindLiar, confirmations, fresh } from './on-anvil'

describe.skipIf(!anvilBinary)('a node that lies', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  const honest: Lie = () => undefined

  const begin = (urls?: (liar: string, node: string) => string) => behindLiar(ends, urls && { urls })
  const scanned = async (
    service: TestBlockchain,
  ): Promise<{ scannedTo: number; lastError: { message: string } | null }> =>
    (await service.get('/networks')).body.find(({ network }: { network: string }) => network === 'ethereum')
  /** A pass on a busy machine may fail by its time limit, and the next one as it should. */
  const untilFailed = (service: TestBlockchain, reason: RegExp) =>
    until(async () => reason.test((await scanned(service)).lastError?.message ?? ''), { what: `${reason}` })
  const asked = async (liar: LocalServer, method: string, times = 3) => {
    const before = timesAsked(liar, method)
    await until(() => timesAsked(liar, method) > before + times)
  }

  test('with no logs: the receipts are read, and the deposit is seen', async () => {
    const { node, service, token, lies, depositOf } = await begin()
    const to = fresh()
    await service.watch(to)
    lies.now = ({ method }) => (method === 'eth_getLogs' ? [] : undefined)
    const hash = await node.write(token, 'transfer', [to, 5n])
    await node.mine(confirmations)
    expect(await depositOf(hash)).toMatchObject({ amount: '5', logIndex: 1 })
  })

  test('with no logs, and no question for the receipts of a block: they are asked for one by one', async () => {
    const { node, service, token, lies, depositOf } = await begin()
    const to = fresh()
    await service.watch(to)
    lies.now = ({ method }) =>
      method === 'eth_getLogs' ? [] : method === 'eth_getBlockReceipts' ? new Error('no such method') : undefined
    const hash = await node.write(token, 'transfer', [to, 5n])
    await node.mine(confirmations)
    await depositOf(hash)
  })

  test('with no logs, in their lists and in receipts: the cursor waits until it tells the truth', async () => {
    const { node, liar, service, token, lies, depositOf } = await begin()
    const to = fresh()
    await service.watch(to)
    const first = await node.pay(to, 1n)
    await node.mine(confirmations)
    await depositOf(first)
    const { scannedTo } = await scanned(service)
    const bare = (receipt: unknown) => ({ ...(receipt as object), logs: [] })
    lies.now = ({ method }, result) => {
      if (method === 'eth_getLogs') return []
      if (method === 'eth_getBlockReceipts') return (result as unknown[]).map(bare)
      return method === 'eth_getTransactionReceipt' && result ? bare(result) : undefined
    }
    const hash = await node.write(token, 'transfer', [to, 5n])
    await node.mine(confirmations)
    await asked(liar, 'eth_getBlockReceipts')
    expect((await scanned(service)).scannedTo).toBeLessThanOrEqual(scannedTo)
    await untilFailed(service, /gave receipts that are not those of block \d+$/)
    lies.now = honest
    await depositOf(hash)
  })

  test('with logs, and a receipt that has none: the cursor waits', async () => {
    const { node, liar, service, token, lies, depositOf } = await begin()
    const to = fresh()
    await service.watch(to)
    lies.now = ({ method }, result) =>
      method === 'eth_getTransactionReceipt' && result ? { ...(result as object), logs: [] } : undefined
    const hash = await node.write(token, 'transfer', [to, 5n])
    await node.mine(confirmations)
    await asked(liar, 'eth_getTransactionReceipt')
    await untilFailed(service, /a receipt without a log that it has listed/)
    lies.now = honest
    await depositOf(hash)
  })

  test('with logs of another block: the cursor waits', async () => {
    const { node, liar, service, token, lies, depositOf } = await begin()
    const to = fresh()
    await service.watch(to)
    lies.now = ({ method }, result) =>
      method === 'eth_getLogs'
        ? (result as object[]).map((log) => ({ ...log, blockHash: `0x${'a'.repeat(64)}` }))
        : undefined
    const hash = await node.write(token, 'transfer', [to, 5n])
    await node.mine(confirmations)
    await asked(liar, 'eth_getLogs', 6)
    await untilFailed(service, /gave a log that is not of the blocks/)
    expect(await service.deposits()).toEqual([])
    lies.now = honest
    await depositOf(hash)
  })

  test('with receipts that vanish: a send is not lost, a deposit not passed over', async () => {
    const { node, liar, service, lies, depositOf } = await begin()
    const to = fresh()
    await service.watch(to)
    const { id } = await service.send({ from: hotWallet.address, to: fresh(), amount: '7' })
    const { txHash } = await service.reached(id, 'broadcast')
    await until(() => node.client.getTransaction({ hash: txHash as Hex }))
    lies.now = ({ method }) => (method === 'eth_getTransactionReceipt' ? null : undefined)
    const hash = await node.pay(to, 9n)
    await node.mine(confirmations + 2)
    await asked(liar, 'eth_getTransactionReceipt', 8)
    expect((await service.get(`/sends/${id}`)).body).toMatchObject({ status: 'broadcast', txHash, lastError: null })
    lies.now = honest
    await service.reached(id, 'confirmed')
    await depositOf(hash)
    expect(service.wallet.signed).toHaveLength(1)
  })

  describe('of its head', () => {
    const ahead = async (node: Anvil): Promise<Lie> => {
      const head = await node.client.getBlockNumber()
      return ({ method }) => (method === 'eth_blockNumber' ? `0x${(head + 100n).toString(16)}` : undefined)
    }

    test('confirms neither a send nor a deposit', async () => {
      const { node, liar, service, lies, depositOf } = await begin()
      const to = fresh()
      await service.watch(to)
      const { id } = await service.send({ from: hotWallet.address, to: fresh(), amount: '7' })
      const { txHash } = await service.reached(id, 'broadcast')
      await until(() => node.client.getTransaction({ hash: txHash as Hex }))
      const hash = await node.pay(to, 9n)
      lies.now = await ahead(node)
      await node.mine()
      await asked(liar, 'eth_blockNumber', 12)
      expect((await service.internal('GET', `/sends/${id}`)).body.status).toBe('broadcast')
      expect((await service.get(`/transactions/${txHash}`)).body).toMatchObject({ status: 'pending', confirmations: 1 })
      expect(await service.deposits()).toEqual([])
      // It is read as far as it can be shown.
      await until(async () => (await service.get(`/addresses/${to}/transactions`)).body.data[0]?.status === 'pending')
      await node.mine(confirmations)
      await service.reached(id, 'confirmed')
      await depositOf(hash)
    })

    test('with blocks that do not follow from one another: they confirm nothing', async () => {
      const { node, liar, service, lies } = await begin()
      const { id } = await service.send({ from: hotWallet.address, to: fresh(), amount: '7' })
      const { txHash } = await service.reached(id, 'broadcast')
      await until(() => node.client.getTransaction({ hash: txHash as Hex }))
      await node.mine()
      const newest = await node.client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] } as never)
      const claims = await ahead(node)
      lies.now = (question, result) =>
        question.method === 'eth_getBlockByNumber' && result === null
          ? { ...(newest as object), number: question.params[0], hash: `0x${'b'.repeat(64)}` }
          : claims(question, result)
      await asked(liar, 'eth_getTransactionReceipt', 6)
      expect((await service.internal('GET', `/sends/${id}`)).body.status).toBe('broadcast')
      lies.now = honest
      await node.mine(confirmations)
      await service.reached(id, 'confirmed')
    })
  })

  test('with a receipt of a block that is not in the chain: the send is not confirmed', async () => {
    const { node, liar, service, lies } = await begin()
    const { id } = await service.send({ from: hotWallet.address, to: fresh(), amount: '7' })
    await service.reached(id, 'broadcast')
    lies.now = ({ method }, result) =>
      method === 'eth_getTransactionReceipt' && result
        ? { ...(result as object), blockHash: `0x${'c'.repeat(64)}` }
        : undefined
    await until(async () => (await node.client.getBlock({ blockTag: 'pending' })).transactions.length > 0)
    await node.mine(confirmations + 2)
    await asked(liar, 'eth_getTransactionReceipt', 6)
    expect((await service.internal('GET', `/sends/${id}`)).body.status).toBe('broadcast')
    lies.now = honest
    await service.reached(id, 'confirmed')
  })

  test('two nodes that have different blocks: nothing is final until they agree, and health says it', async () => {
    const { node, liar, service, lies, depositOf } = await begin((liar, node) => `${node},${liar}`)
    const health = async () => (await service.get('/health')).body.networks.ethereum
    const to = fresh()
    await service.watch(to)
    const { id } = await service.send({ from: hotWallet.address, to: fresh(), amount: '7' })
    const { txHash } = await service.reached(id, 'broadcast')
    await until(() => node.client.getTransaction({ hash: txHash as Hex }))
    const other = ({ method }: { method: string }, result: unknown) =>
      method === 'eth_getBlockByNumber' && result ? { ...(result as object), hash: `0x${'d'.repeat(64)}` } : undefined
    lies.now = other
    const hash = await node.pay(to, 9n)
    await node.mine(confirmations)
    await asked(liar, 'eth_getBlockByNumber', 6)
    expect((await service.internal('GET', `/sends/${id}`)).body.status).toBe('broadcast')
    expect(await service.deposits()).toEqual([])
    expect(await health()).toMatch(/^node 2 has another block \d+ than the others$/)
    await untilFailed(service, /^The nodes of ethereum do not agree on block \d+$/)
    // One that is behind says nothing.
    lies.now = ({ method }) => (method === 'eth_getBlockByNumber' ? null : undefined)
    await service.reached(id, 'confirmed')
    await depositOf(hash)
    lies.now = honest
    const next = await node.pay(to, 10n)
    await node.mine(confirmations)
    await depositOf(next)
    expect(await health()).toBe('ok')
  })

  test('a transaction that gets into a block while it is looked up has the confirmations of that block', async () => {
    const { node, service, lies } = await begin()
    const hash = await node.pay(fresh(), 9n)
    lies.now = async ({ method, params }, result) => {
      if (method !== 'eth_getTransactionReceipt' || result) return undefined
      await node.mine(2)
      return await node.client.request({ method, params } as never)
    }
    const { body } = await service.get(`/transactions/${hash}`)
    expect(body).toMatchObject({ status: 'pending', confirmations: 2, blockNumber: expect.any(Number) })
  })

  test('a movement away from a watched address is seen, and no deposit', async () => {
    const { node, service, token } = await begin()
    await service.watch(bank.address)
    const [to, coinsTo] = [fresh(), fresh()]
    const [tokens, coins] = [await node.write(token, 'transfer', [to, 5n]), await node.pay(coinsTo, 6n)]
    await node.mine(confirmations)
    const told = async () => {
      const { body } = await service.get(`/addresses/${bank.address}/transactions`)
      return (body.data as Record<string, string>[])
        .filter(({ transactionHash }) => transactionHash === tokens || transactionHash === coins)
        .map(({ status, direction, toAddress }) => [status, direction, toAddress])
    }
    await until(async () => (await told()).length === 2)
    expect(await told()).toContainEqual(['outgoing', 'out', to])
    expect(await told()).toContainEqual(['outgoing', 'out', coinsTo])
    expect((await service.deposits()).some(({ txHash }) => txHash === tokens || txHash === coins)).toBe(false)
  })
})
