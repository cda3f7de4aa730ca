// A node that claims a higher nonce than the sender has: everything signed above it would wait for ever.
import { afterEach, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { type Hex, parseTransaction } from 'viem'
import { senders } from '../../src/sends/sends.table'
import { anvilBinary, bank, hotWallet } from './anvil'
import type { Lie } from './lying-node'
import { behindLiar, fresh } from './on-anvil'

describe.skipIf(!anvilBinary)('a node that claims too high a nonce', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  const honest: Lie = () => undefined
  const claims =
    (nonce: number): Lie =>
    ({ method }) =>
      method === 'eth_getTransactionCount' ? `0x${nonce.toString(16)}` : undefined
  async function begin(lie: Lie, urls?: (liar: string, node: string) => string, env: Record<string, string> = {}) {
    const scene = await behindLiar(ends, { lie, env, ...(urls && { urls }) })
    const { service } = scene
    const send = () => service.send({ from: hotWallet.address, to: fresh(), amount: '7' })
    return {
      ...scene,
      send,
      begun: async () => {
        const { id } = await send()
        await service.reached(id, 'broadcast')
        return id
      },
      nonces: () => service.wallet.signed.map(({ unsigned }) => parseTransaction(unsigned as Hex).nonce ?? 0),
      waits: (id: string, why: RegExp) =>
        until(async () => why.test((await service.get(`/sends/${id}`)).body.lastError ?? '')),
    }
  }

  test('beside another node: nothing is signed until they agree', async () => {
    const { service, lies, send, settled, nonces, waits } = await begin(claims(1000), (liar, node) => `${liar},${node}`)
    const { id } = await send()
    await waits(id, /^ethereum: A node claims the nonce 1000 of 0x70997970\S+, and another 0$/)
    expect(nonces()).toEqual([])
    lies.now = honest
    await settled(id)
    expect(nonces()).toEqual([0])
    // With nonces of our own nobody is asked, unless one claims more.
    lies.now = claims(7)
    const next = await send()
    await waits(next.id, /the nonce 7/)
    lies.now = honest
    await settled(next.id)
    expect(nonces()).toEqual([0, 1])
    expect((await service.get('/health')).body.networks.ethereum).toBe('ok')
  })

  test('in its pool alone: the lowest of the nodes counts', async () => {
    const pool: Lie = ({ method, params }) =>
      method === 'eth_getTransactionCount' && params[1] === 'pending' ? '0x3e8' : undefined
    const { begun, settled, nonces } = await begin(pool, (liar, node) => `${liar},${node}`)
    await settled(await begun())
    expect(nonces()).toEqual([0])
  })

  test('alone: later sends get the nonces below, until the gap is closed', async () => {
    const { lies, begun, settled, nonces, service } = await begin(claims(3))
    const first = await begun()
    lies.now = honest
    await settled(await begun())
    const others = [await begun(), await begun(), await begun()]
    for (const id of [...others, first]) await settled(id)
    await settled(await begun())
    expect(nonces()).toEqual([3, 0, 1, 2, 4, 5])
    expect(await service.states(first)).toEqual(['broadcast', 'confirmed'])
  })

  test('alone, and nothing else is sent: it says for which nonces it waits, at no higher fee, until they are taken', async () => {
    const { lies, begun, settled, nonces, service, waits } = await begin(claims(3), undefined, {
      STUCK_AFTER_SECONDS: '1',
    })
    const first = await begun()
    lies.now = honest
    await waits(first, /^It waits for the nonces 0 to 2 of 0x70997970\S+, which nobody has sent/)
    const waiting = async () => (await service.get('/health')).body.waiting
    expect(await waiting()).toEqual([
      expect.stringMatching(
        /^1 sends wait for what must be sent before them \(GET \/v1\/sends\): It waits for the nonces 0/,
      ),
    ])
    expect(nonces()).toEqual([3])
    for (const id of [await begun(), await begun()]) await settled(id)
    await waits(first, /^It waits for the nonce 2 of /)
    for (const id of [await begun(), first]) await settled(id)
    expect(await waiting()).toBeUndefined()
  })

  test('alone, and further above ours than later payments will reach: nothing is signed, and the health tells it', async () => {
    const { lies, send, settled, nonces, service, waits } = await begin(claims(65))
    const { id } = await send()
    await waits(
      id,
      /^ethereum: A node claims the nonce 65 of 0x70997970\S+, shows nothing that took 64, and 0 is next here/,
    )
    const waiting = async () => (await service.get('/health')).body.waiting
    expect(await waiting()).toEqual([
      expect.stringMatching(
        /^1 sends wait for a node that claims another nonce \(GET \/v1\/sends\): ethereum: A node claims the nonce 65/,
      ),
    ])
    lies.now = honest
    await settled(id)
    lies.now = claims(2 ** 50)
    const next = await send()
    await waits(next.id, /the nonce 1125899906842624 of \S+, shows nothing that took \d+, and 1 is next here/)
    // As far above as nodes keep what waits for a gap.
    lies.now = claims(65)
    await service.reached(next.id, 'broadcast')
    expect(nonces()).toEqual([0, 65])
    expect(JSON.stringify((await waiting()) ?? [])).not.toContain('claims another nonce')
  })

  test('though it is one of two, when the other does not answer', async () => {
    const { lies, send, settled, nonces, waits } = await begin(claims(1000), (liar) => `${liar},http://127.0.0.1:1`)
    const { id } = await send()
    await waits(id, /claims the nonce 1000 of/)
    lies.now = honest
    await settled(id)
    expect(nonces()).toEqual([0])
  })

  describe('the chain is far ahead, as after a restore', () => {
    async function ahead(urls?: (liar: string, node: string) => string) {
      const scene = await begin(honest, urls)
      const { client, mine } = scene.node
      for (let sent = 0; sent < 70; sent += 1) {
        await client.sendTransaction({ account: hotWallet, to: bank.address, value: 1n, nonce: sent, gas: 21_000n })
      }
      await mine(5)
      return scene
    }
    /** Forgets all states before a block, as a pruned node does. */
    const without =
      (from: bigint): Lie =>
      ({ method, params }) => {
        const block = method === 'eth_getTransactionCount' ? String(params[1]) : ''
        return block.startsWith('0x') && BigInt(block) < from ? new Error('missing trie node') : undefined
      }

    test('by transactions that the node shows: they count', async () => {
      const { begun, settled, nonces } = await ahead()
      await settled(await begun())
      expect(nonces()).toEqual([70])
    })

    test('and the only node has forgotten its old states: nothing is signed until another one agrees', async () => {
      const { node, lies, send, waits, nonces } = await ahead()
      const head = await node.client.getBlockNumber()
      for (const from of [head - 2n, head]) {
        lies.now = without(from)
        const { id } = await send()
        await waits(id, /claims the nonce 70 of \S+, shows nothing that took 69, and 0 is next here: .*RPC_URLS/)
      }
      expect(nonces()).toEqual([])
      const two = await ahead((liar, other) => `${liar},${other}`)
      two.lies.now = without(head)
      await two.settled(await two.begun())
      expect(two.nonces()).toEqual([70])
    })
  })

  test('a node that lags is no reason to wait: the fee of what is stuck is raised', async () => {
    const { lies, begun, settled, nonces, service } = await begin(honest, (liar, node) => `${liar},${node}`)
    await settled(await begun())
    const { settings } = await service.deps.networks.open('ethereum')
    settings.stuckAfterMs = 0
    lies.now = ({ method, params }) =>
      method === 'eth_getTransactionCount' && params[1] === 'pending' ? '0x0' : undefined
    const id = await begun()
    await until(() => nonces().length > 2)
    expect(nonces().slice(0, 3)).toEqual([0, 1, 1])
    lies.now = honest
    await settled(id)
  })

  test('so they do after a restore, which makes this service forget the nonces that it gave', async () => {
    const { lies, begun, settled, nonces, service } = await begin(claims(2))
    const first = await begun()
    lies.now = honest
    await service.deps.store.commit(async (tx) => void (await tx.update(senders).set({ nextNonce: null })))
    const others = [await begun(), await begun(), await begun()]
    expect(nonces()).toEqual([2, 0, 1, 3])
    for (const id of [...others, first]) await settled(id)
  })

  test('several that are built together share the gap, and what does not fit follows above', async () => {
    const { lies, begun, send, settled, nonces, service } = await begin(claims(2))
    const first = await begun()
    lies.now = honest
    const { sign } = service.wallet
    // Nothing is signed before all are there.
    let isOpen = false
    service.wallet.sign = async (order) => {
      if (!isOpen) return await Promise.reject(new Response(null, { status: 503 }))
      return await sign(order)
    }
    const sent = [await send(), await send(), await send()]
    service.wallet.signed.length = 0
    isOpen = true
    for (const { id } of sent) await settled(id)
    await settled(first)
    expect(new Set(nonces())).toEqual(new Set([0, 1, 3]))
  })

  test('what others have in the node’s pool is no gap', async () => {
    const { node, begun, settled, nonces } = await begin(honest)
    for (const value of [1n, 2n]) await node.client.sendTransaction({ account: hotWallet, to: bank.address, value })
    const ids = [await begun(), await begun()]
    expect(nonces()).toEqual([2, 3])
    for (const id of ids) await settled(id)
  })

  test('a nonce of which a final transaction is known is never given again, whatever a node says', async () => {
    const { lies, begun, settled, nonces } = await begin(honest)
    await settled(await begun())
    await settled(await begun())
    lies.now = claims(4)
    const above = await begun()
    lies.now = claims(0)
    const filling = [await begun(), await begun()]
    lies.now = honest
    for (const id of [...filling, above]) await settled(id)
    expect(nonces()).toEqual([0, 1, 4, 2, 3])
  })
})
