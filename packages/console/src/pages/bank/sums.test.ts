import { describe, expect, test } from 'bun:test'
import { addDecimals, shareUsed, sumsByCurrency } from './sums'

describe('sums', () => {
  test.each([
    [['0.1', '0.2'], '0.3'],
    [['0.1', '0.25', '3'], '3.35'],
    [['9007199254740993', '0.000000000000000001'], '9007199254740993.000000000000000001'],
    [['-0.5', '0.25'], '-0.25'],
    [['-1.5', '1.5'], '0.0'],
    [['10'], '10'],
    [[], '0'],
  ])('%p is %p', (amounts, sum) => {
    expect(addDecimals(amounts)).toBe(sum)
  })

  test('keep currencies apart, in their order', () => {
    const of = [
      { amount: '1.10', currency: 'USD' },
      { amount: '500', currency: 'JPY' },
      { amount: '2.2', currency: 'USD' },
    ]
    expect(sumsByCurrency(of)).toEqual([
      { currency: 'JPY', sum: '500', count: 1 },
      { currency: 'USD', sum: '3.30', count: 2 },
    ])
  })

  test.each([
    ['0', '100', 0],
    ['33.339', '100', 33],
    ['100', '100.00', 100],
    ['9007199254740993', '9007199254740994', 99],
    ['0', '0', null],
  ])('%p of %p is %p percent', (used, limit, share) => {
    expect(shareUsed(used, limit)).toBe(share)
  })
})
