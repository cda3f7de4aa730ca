import { afterEach, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import type { Hex } from 'viem'
import { refused, type TestBlockchain } from '../harness'
import { anvilBinary, bank, hotWallet } from './anvil'
import { type Lie, lyingNode } from './lying-node'
import { fresh, onAnvil, settled } from './on-anvil'

const never = () => new Promise<Response>(() => {})
const wrongChain: Lie = ({ method }) => (method === 'eth_chainId' ? '0x5' : undefined)

describe.skipIf(!anvilBinary)('nodes that fail', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  const keep = <T extends { stop(): Promise<unknown> } | { kill(): Promise<unknown> }>(thing: T): T => {
    ends.push(() => ('kill' in thing ? thing.kill() : thing.stop()))
    return thing
  }
  const begin = async (env: Record<string, string> = {}) => {
    const begun = await onAnvil(env)
    keep(begun.node)
    keep(begun.service)
    return begun
  }
  const health = async (service: TestBlockchain) => (await service.get('/health')).body.networks.ethereum
  const order = (fields: object = {}) => ({ from: hotWallet.address, to: fresh(), amount: '1000', ...fields })

  test('killed in mid-send and started again without what it had not mined: sent once', async () => {
    const { node, service } = await begin()
    const sent = await Promise.all([1, 2, 3].map(() => service.send(order())))
    for (const { id } of sent) await service.reached(id, 'broadcast')
    await node.kill()
    // It cannot be asked meanwhile, and nothing is failed for that.
    const late = await service.send(order())
    await until(() => service.get('/health').then(({ body }) => body.networks.ethereum !== 'ok'))
    await node.start()
    for (const { id } of [...sent, late]) await settled({ service, node }, id)
    expect(await node.client.getTransactionCount({ address: hotWallet.address })).toBe(4)
    expect(service.wallet.signed).toHaveLength(4)
    expect(await health(service)).toBe('ok')
  })

  test('of another chain: 502, said in health, and the order waits', async () => {
    const { node, service } = await begin()
    const liar = keep(lyingNode(node.url, wrongChain))
    const other = await begin({ ETHEREUM_RPC_URLS: liar.url })
    const { id } = await other.service.send(order())
    await until(() => liar.requests.length > 2)
    expect((await other.service.internal('GET', `/sends/${id}`)).body.status).toBe('accepted')
    expect(refused(await other.service.get(`/addresses/${bank.address}?network=ethereum`), 502)).toEqual({
      code: 'UPSTREAM_ERROR',
      message: 'ethereum: A node answers for chain 5, not 31337',
    })
    expect(await health(other.service)).toBe('node 1 answers for chain 5, not 31337')
    expect(liar.requests.every(({ body }) => body.includes('eth_chainId'))).toBe(true)
    expect(await health(service)).toBe('ok')
  })

  test('the first is unavailable, the second of another chain, the third is asked', async () => {
    const { node } = await begin()
    const liar = keep(lyingNode(node.url, wrongChain))
    const { service } = await begin({ ETHEREUM_RPC_URLS: `http://127.0.0.1:9,${liar.url},${node.url}` })
    const { body } = await service.get(`/addresses/${bank.address}?network=ethereum&filter[currency]=ETH`)
    expect(body.data).toHaveLength(1)
    expect(await health(service)).toBe('node 1 cannot be reached; node 2 answers for chain 5, not 31337')
  })

  test('late: 504', async () => {
    const { node } = await begin()
    const proxy = keep(lyingNode(node.url))
    proxy.answer(never)
    const { service } = await begin({ ETHEREUM_RPC_URLS: proxy.url, NODE_TIMEOUT_MS: '100' })
    expect(refused(await service.get(`/addresses/${bank.address}?network=ethereum`), 504)).toEqual({
      code: 'UPSTREAM_TIMEOUT',
      message: 'No node of ethereum answered in time',
    })
    expect(refused(await service.get(`/transactions/0x${'1'.repeat(64)}`), 504).code).toBe('UPSTREAM_TIMEOUT')
    expect((await service.get('/health')).status).toBe(200)
  })

  test('down: 503; failing: 502', async () => {
    const { node } = await begin()
    const proxy = keep(lyingNode(node.url))
    const { service } = await begin({ ETHEREUM_RPC_URLS: proxy.url })
    const ask = () => service.get(`/addresses/${bank.address}?network=ethereum`)
    expect((await ask()).status).toBe(200)
    proxy.answer(() => new Response('<html>bad gateway</html>', { status: 502 }))
    expect(refused(await ask(), 502)).toEqual({ code: 'UPSTREAM_ERROR', message: 'A node of ethereum failed' })
    await proxy.stop()
    expect(refused(await ask(), 503)).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'No node of ethereum can be reached',
    })
    expect((await service.get('/health')).status).toBe(200)
  })

  test('a receipt for another hash is not believed: neither a send nor a deposit is confirmed by it', async () => {
    const { node } = await begin()
    let lies = true
    const other = await node.pay(fresh(), 1n)
    await node.mine(3)
    const receipt = await node.client.request({ method: 'eth_getTransactionReceipt', params: [other] } as never)
    const liar = keep(
      lyingNode(node.url, ({ method }) => (lies && method === 'eth_getTransactionReceipt' ? receipt : undefined)),
    )
    const { service } = await begin({ ETHEREUM_RPC_URLS: liar.url })
    const to = fresh()
    await service.watch(to)
    const { id } = await service.send(order())
    const { txHash } = await service.reached(id, 'broadcast')
    await until(() => node.client.getTransaction({ hash: txHash as Hex }))
    const hash = await node.pay(to, 9n)
    await node.mine(4)
    const asked = () => liar.requests.filter(({ body }) => body.includes('eth_getTransactionReceipt')).length
    const before = asked()
    await until(() => asked() > before + 4)
    expect((await service.internal('GET', `/sends/${id}`)).body.status).toBe('broadcast')
    expect(await service.deposits()).toEqual([])
    lies = false
    await service.reached(id, 'confirmed')
    await until(async () => (await service.deposits()).some(({ txHash }) => txHash === hash))
  })

  test('a broadcast that gets no answer is sent again, and paid once', async () => {
    const { node } = await begin()
    let broken = true
    const proxy = keep(lyingNode(node.url))
    const { service } = await begin({ ETHEREUM_RPC_URLS: proxy.url, NODE_TIMEOUT_MS: '500' })
    const through = lyingNode(node.url)
    keep(through)
    proxy.answer(async (request) => {
      const text = await request.text()
      const answer = await fetch(through.url, { method: 'POST', body: text })
      // The node has it; the answer is lost.
      return broken && text.includes('eth_sendRawTransaction') ? await never() : answer
    })
    const to = fresh()
    const { id } = await service.send(order({ to, amount: '4' }))
    await service.reached(id, 'broadcast')
    await until(() => proxy.requests.filter(({ body }) => body.includes('eth_sendRawTransaction')).length > 1, {})
    broken = false
    await settled({ service, node }, id)
    expect(await node.client.getBalance({ address: to })).toBe(4n)
    expect(service.wallet.signed).toHaveLength(1)
  })

  test('a signature by another key is not broadcast', async () => {
    const { service } = await begin()
    const { sign } = service.wallet
    service.wallet.sign = (asked) => sign({ ...asked, signers: [bank.address] })
    const { id } = await service.send(order())
    await until(() => service.wallet.signed.length > 0)
    expect((await service.internal('GET', `/sends/${id}`)).body.status).toBe('accepted')
    service.wallet.sign = sign
    await service.reached(id, 'broadcast')
  })
})
