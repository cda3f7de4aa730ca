import { expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { runLedger } from './execution-harness'

test('a withdrawal is executed with the terms of its creation', async () => {
  const running = await runLedger()
  const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const asset = await running.newAsset({ code: 'OLD', address: contract, network: ' TestNet ' })
  expect(asset.network).toBe('testnet')
  const account = await running.funded('100', {}, asset)
  const id = await running.withdraw(account, '40.5', { assetId: asset.id, network: 'TESTNET' })
  const renamed = await running.ledger.ask('PATCH', `/assets/${asset.id}`, { code: 'NEW', name: 'Renamed' })
  expect(renamed.status).toBe(200)
  await running.screen(id, true)
  await running.reached(id, 'COMPLETED')
  expect(running.wallet.started).toMatchObject([
    { id, assetCode: 'OLD', contractAddress: contract, network: 'testnet', amount: '40.5', decimals: 2 },
  ])
  expect(await until(() => running.balance(account, 'NEW'))).toEqual({ available: '59.5', frozen: '0' })
  await running.close()
})
