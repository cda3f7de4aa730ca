import { describe, expect, test } from 'bun:test'
import { formatTotal, formatUsd, formatUsdShort, groupDigits } from './amount'

describe('amounts', () => {
  test.each([
    ['0', '0'],
    ['12', '12'],
    ['999', '999'],
    ['1000', '1,000'],
    ['1234567.8900', '1,234,567.8900'],
    ['-1234.5', '−1,234.5'],
    ['+1234567.5', '+1,234,567.5'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['123456789012345678901234567890.123456789012345678', '123,456,789,012,345,678,901,234,567,890.123456789012345678'],
    ['.5', '.5'],
    ['1e9', '1e9'],
    ['', ''],
  ])('%s is shown as %s', (amount, shown) => {
    expect(groupDigits(amount)).toBe(shown)
  })

  test('estimates have cents below 100 alone', () => {
    expect([formatUsd(99.994), formatUsd(100.4), formatUsd(0), formatUsd(-46_875.2)]).toEqual([
      '$99.99',
      '$100',
      '$0.00',
      '-$46,875',
    ])
    expect([formatUsdShort(9_203_529), formatUsdShort(755_150)]).toEqual(['$9.2M', '$755.15K'])
  })
})

test('a list’s total is a number, or many', () => {
  expect([formatTotal(0), formatTotal(12_345), formatTotal('many')]).toEqual(['0', '12,345', 'over 100,000'])
})
