import { expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { addBlock, networksHolding } from '../src/networks/simulated/blocks'
import { startMining } from '../src/networks/simulated/mining'
import { startScanning } from '../src/transfers/scanning'
import { alice, testBlockchain } from './harness'

test('who never had anything holds nothing after a payment that failed', async () => {
  const service = await testBlockchain({ workers: false })
  const { store, networks } = service.deps
  const [fromAddress, toAddress] = [`0x${'f1'.repeat(20)}`, `0x${'f2'.repeat(20)}`]
  const settings = networks.find('polygon')
  if (!settings) throw new Error('polygon is not here')
  const movement = { txHash: '0xpenniless', fromAddress, toAddress, contractAddress: null, amount: 1n, nonce: 0 }
  await store.commit((tx) => addBlock(tx, settings, [movement], new Date()))
  expect(await networksHolding(store.read, fromAddress)).toEqual([])
  expect(await networksHolding(store.read, toAddress)).toEqual([])
  await service.stop()
})

test('with 3 confirmations, empty blocks make it final', async () => {
  const own = await testBlockchain({ env: { SIMULATED_CONFIRMATIONS: '3' }, workers: false })
  await own.watch(alice)
  const hash = await own.payIn(alice, '1')
  const scanning = startScanning(own.deps)
  await scanning.wake('ethereum')
  expect(await own.deposits()).toEqual([])
  const mining = startMining(own.deps)
  await until(async () => (await own.deposits()).length === 1)
  expect((await own.get(`/transactions/${hash}`)).body).toMatchObject({ status: 'confirmed', confirmations: 3 })
  await mining.stop()
  await scanning.stop()
  await own.stop()
})
