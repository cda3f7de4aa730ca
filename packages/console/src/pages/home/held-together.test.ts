import { expect, test } from 'bun:test'
import { heldTogether } from './held-together'

test('the values of several requests are added day by day; one that was asked before midnight has its own days', () => {
  const day = (date: string, usdValue: number) => ({ date, usdValue })
  expect(
    heldTogether([
      { unpriced: ['GOLD'], series: [day('2026-03-01', 1), day('2026-03-02', 2)] },
      { unpriced: ['AAVE', 'GOLD'], series: [day('2026-03-02', 10), day('2026-03-03', 20)] },
    ]),
  ).toEqual({
    unpriced: ['AAVE', 'GOLD'],
    series: [
      { date: '2026-03-01', usd: 1 },
      { date: '2026-03-02', usd: 12 },
      { date: '2026-03-03', usd: 20 },
    ],
  })
  expect(heldTogether([])).toEqual({ unpriced: [], series: [] })
})
