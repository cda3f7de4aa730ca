import { expect, test } from 'bun:test'
import { addBlock, networksHolding } from '../src/networks/simulated/blocks'
import { testBlockchain } from './harness'

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
