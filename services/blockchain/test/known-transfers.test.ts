// What the ledger asks before it credits a deposit that somebody entered by hand.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { KnownTransfer } from '@bursar/contracts/blockchain'
import { tempDir, until } from '@bursar/testing'
import { addBlock } from '../src/networks/simulated/blocks'
import { mine } from '../src/networks/simulated/mining'
import { startScanning } from '../src/transfers/scanning'
import { confirmDeposits, recordTransfers } from '../src/transfers/transfers'
import { accountId, alice, bob, hot, type TestBlockchain, testBlockchain } from './harness'

const outside = `0x${'0'.repeat(40)}`
let service: TestBlockchain
beforeAll(async () => {
  service = await testBlockchain()
  await service.watch(alice)
})
afterAll(() => service.stop())

const known = async (items: object[], on = service) =>
  (await on.internal<{ items: (KnownTransfer[] | null)[] }>('POST', '/transfers/known', { items })).body.items
const ofEthereum = (txHash: string, on = service) => known([{ network: 'ethereum', txHash }], on).then(([each]) => each)

describe('POST /internal/transfers/known', () => {
  test('a deposit by its hash, in whatever case; [] for what the chain does not know, null for no such network', async () => {
    const hash = await service.payIn(alice, '2', 'USDC')
    const [found, sameFound, unknown, odd, nowhere] = await known([
      { network: 'ethereum', txHash: hash },
      { network: 'Ethereum', txHash: hash.slice(2).toUpperCase() },
      { network: 'ethereum', txHash: `0x${'9'.repeat(64)}` },
      { network: 'ethereum', txHash: 'no hash' },
      { network: 'no/network', txHash: hash },
    ])
    expect(found).toEqual([
      {
        logIndex: 1,
        accountId,
        sourceAddress: outside,
        toAddress: alice,
        contractAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        amount: '2000000',
        isFinal: true,
      },
    ])
    expect([sameFound, unknown, odd, nowhere]).toEqual([found, [], [], null])
  })

  test('only what goes to addresses of this deployment, also before anything was recorded', async () => {
    const own = await testBlockchain({ workers: false })
    await own.watch(alice)
    expect(await ofEthereum(await own.payIn(bob, '1'), own)).toEqual([])
    expect(await ofEthereum(await own.payIn(alice, '1'), own)).toMatchObject([{ toAddress: alice, isFinal: true }])
    await own.stop()
  })

  test('says whether it is final, before it was recorded and after', async () => {
    const own = await testBlockchain({ env: { SIMULATED_CONFIRMATIONS: '3' }, workers: false })
    await own.watch(alice)
    const hash = await own.payIn(alice, '1')
    const isFinal = async () => (await ofEthereum(hash, own))?.map((each) => each.isFinal)
    expect(await isFinal()).toEqual([false])
    const scanning = startScanning(own.deps)
    await scanning.wake('ethereum')
    expect((await own.get(`/addresses/${alice}/transactions`)).body.data).toMatchObject([{ status: 'pending' }])
    expect(await isFinal()).toEqual([false])
    for (let i = 0; i < 3; i++) await mine(own.deps)
    await scanning.wake('ethereum')
    expect(await own.deposits()).toHaveLength(1)
    expect(await isFinal()).toEqual([true])
    await scanning.stop()
    await own.stop()
  })

  test('what the records do not hold as final the chain is asked for: dust, and what failed', async () => {
    const own = await testBlockchain({ env: { DEPOSIT_DUST: 'ETH:1' } })
    await own.watch(alice)
    const hash = await own.payIn(alice, '0.5')
    await until(async () => (await own.get(`/addresses/${alice}/transactions`)).body.data[0]?.status === 'dust')
    expect(await ofEthereum(hash, own)).toMatchObject([{ isFinal: true }])
    const settings = own.deps.networks.find('ethereum')
    if (!settings) throw new Error('no network')
    const txHash = `0x${'5f'.repeat(32)}`
    const failed = { txHash, fromAddress: hot, toAddress: alice, contractAddress: null, amount: 5n, nonce: 0 }
    await own.deps.store.commit((tx) => addBlock(tx, settings, [failed], new Date()))
    expect(await ofEthereum(txHash, own)).toEqual([])
    await own.stop()
  })

  test('what was recorded as final beside dust is known, also where the chain tells nothing of it', async () => {
    const own = await testBlockchain({ env: { DEPOSIT_DUST: 'ETH:1' }, workers: false })
    await own.watch(alice)
    const txHash = `0x${'60'.repeat(32)}`
    // By contracts: seen in its traces, or by a balance alone.
    const came = { txHash, from: bob, to: alice, contractAddress: null, decimals: null, block: 1, blockHash: 'x' }
    const [large, small] = [
      { logIndex: 2 ** 30 + 1, amount: 10n ** 18n },
      { logIndex: 2 ** 30 + 2, amount: 1n },
    ]
    await own.deps.store.commit(async (tx) => {
      const transfers = [large, small].map((each) => ({ ...came, ...each, at: new Date() }))
      await recordTransfers(tx, 'ethereum', transfers, { dust: own.deps.config.dust })
      await confirmDeposits(tx, 'ethereum', 1, new Date())
    })
    expect(await ofEthereum(txHash, own)).toEqual([
      {
        logIndex: large.logIndex,
        accountId,
        sourceAddress: bob,
        toAddress: alice,
        contractAddress: null,
        amount: `${large.amount}`,
        isFinal: true,
      },
    ])
    await own.stop()
  })

  test('null while the network’s nodes are unavailable; what was recorded as final is known all the same', async () => {
    const dataDir = await recorded()
    const own = await testBlockchain({ dataDir: dataDir.path, env: { ETHEREUM_RPC_URLS: 'http://127.0.0.1:9' } })
    expect(await ofEthereum(dataDir.hash, own)).toMatchObject([{ toAddress: alice, isFinal: true }])
    expect(await ofEthereum(`0x${'8'.repeat(64)}`, own)).toBeNull()
    await own.stop()
  })

  test('401 for callers other than a service', async () => {
    const items = [{ network: 'ethereum', txHash: 'x' }]
    expect((await service.post('/internal/transfers/known', { items })).status).toBe(401)
  })
})

async function recorded(): Promise<{ path: string; hash: string }> {
  const path = tempDir()
  const own = await testBlockchain({ dataDir: path })
  await own.watch(alice)
  const hash = await own.payIn(alice, '1')
  await until(async () => (await own.deposits()).length === 1)
  await own.stop()
  return { path, hash }
}
