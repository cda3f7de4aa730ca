import { expect, test } from 'bun:test'
import { localServer, until } from '@bursar/testing'
import { registerAssets } from '../src/tokens/follow-assets'
import { alice, testBlockchain } from './harness'

const contractAddress = '0xc0ffee0000000000000000000000000000000001'

test('assets of the ledger are registered: their deposits are published; one that means nothing here is left out', async () => {
  const assets = [
    { code: 'ODD', blockchain: 'polygon', contractAddress: 'no address', decimals: 6 },
    { code: 'COFFEE', blockchain: 'polygon', contractAddress, decimals: 6 },
  ]
  const ledger = localServer(() => Response.json(assets))
  const service = await testBlockchain({ urls: { 'core-ledger': ledger.url } })
  await registerAssets(service.deps)
  await service.watch(alice, 'polygon')
  const hash = await service.payIn(alice, '1.5', 'COFFEE', 'polygon')
  const found = await until(async () => (await service.deposits()).find(({ txHash }) => txHash === hash))
  expect(found).toMatchObject({ amount: '1500000', decimals: 6, network: 'polygon' })
  expect(found?.contractAddress?.toLowerCase()).toBe(contractAddress)
  await service.stop()
  await ledger.stop()
})
