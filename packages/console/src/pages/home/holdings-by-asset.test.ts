import { expect, test } from 'bun:test'
import { holdingsByAsset } from './holdings-by-asset'

const balance = (
  assetCode: string,
  available: string,
  frozen: string,
  total: string,
  usdValue: number | null = null,
) => ({
  assetId: `id of ${assetCode}`,
  assetCode,
  availableBalance: available,
  frozenBalance: frozen,
  totalBalance: total,
  usdValue,
})

test('balances are added up for each asset without losing a digit', () => {
  const found = holdingsByAsset([
    balance('USDC', '0.000001', '1', '1.000001', 1),
    balance('ETH', '1.000000000000000001', '0', '1.000000000000000001'),
    balance('USDC', '9007199254740993', '0.5', '9007199254740993.5'),
  ])
  expect(found).toEqual([
    {
      assetId: 'id of ETH',
      assetCode: 'ETH',
      available: '1.000000000000000001',
      frozen: '0',
      total: '1.000000000000000001',
      usd: null,
    },
    {
      assetId: 'id of USDC',
      assetCode: 'USDC',
      available: '9007199254740993.000001',
      frozen: '1.5',
      total: '9007199254740994.500001',
      usd: 1,
    },
  ])
})
