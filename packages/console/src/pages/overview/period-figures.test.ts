import { expect, test } from 'bun:test'
import { formatChange, periodFigures } from './period-figures'

const moved = (count: number, usdValue: number | null) => ({ count, amount: '0', usdValue })
const day = (date: string, come: number, gone: number, held: number) => ({
  date,
  deposits: moved(come > 0 ? 1 : 0, come),
  withdrawals: moved(gone > 0 ? 1 : 0, gone),
  transfers: moved(0, 0),
  balances: { amount: '0', usdValue: held },
})

test('a period is compared with the one before', () => {
  const series = [day('1', 100, 0, 100), day('2', 0, 50, 50), day('3', 150, 0, 200), day('4', 0, 0, 200)]
  const { deposits, withdrawals, transfers, heldChange } = periodFigures(series, 2)
  expect(deposits).toEqual({ count: 1, usd: 150, change: 0.5 })
  expect(withdrawals).toEqual({ count: 0, usd: 0, change: -1 })
  expect(transfers.change).toBeNull()
  expect(heldChange).toBe(0)
})

test('days with movements alone have a bar, with what came in less what went out', () => {
  const series = [day('1', 0, 0, 0), day('2', 100, 260, 0), day('3', 0, 0, 0), day('4', 5, 0, 0)]
  expect(periodFigures(series, 4).netDays).toEqual([
    { date: '2', in: 100, out: 260, net: -160 },
    { date: '4', in: 5, out: 0, net: 5 },
  ])
})

test('a day whose only asset has no rate still has its place', () => {
  const unpriced = { ...day('1', 0, 0, 0), deposits: moved(2, null) }
  expect(periodFigures([unpriced], 1).netDays).toEqual([{ date: '1', in: 0, out: 0, net: 0 }])
})

test.each([
  [0.124, '+12 %'],
  [-0.034, '−3.4 %'],
  [0.05, '+5 %'],
  [13.15, '×14'],
  [9.99, '+999 %'],
  [0, '±0 %'],
  [-0.0004, '±0 %'],
])('a change of %d is %s', (share, words) => expect(formatChange(share)).toBe(words))
