import { describe, expect, test } from 'bun:test'
import { readBalanceFilter } from './balance-filter'

describe('filter[currency]', () => {
  test.each([
    ['USDC', ['USDC', 'usdc'], ['ETH']],
    ['eq:usdc', ['USDC'], ['ETH']],
    ['in:USDC,eth', ['USDC', 'ETH'], ['SOL']],
    ['in:[USDC, ETH]', ['USDC', 'ETH'], ['SOL']],
    ['in:USDC', ['USDC'], ['ETH']],
  ])('%s', (text, taken, left) => {
    const { takesCurrency } = readBalanceFilter(text, undefined)
    expect(taken.every((code) => takesCurrency(code, null))).toBe(true)
    expect(left.some((code) => takesCurrency(code, null))).toBe(false)
  })

  test('takes contract addresses', () => {
    const { takesCurrency } = readBalanceFilter('0xAbC1', undefined)
    expect([takesCurrency('X', '0xabC1'), takesCurrency('X', '0xabc2'), takesCurrency('X', null)]).toEqual([
      true,
      false,
      false,
    ])
  })

  test.each([
    '',
    'in:',
    'in:[]',
    'in:USDC,',
    'like:USD',
    'lt:5',
    'US DC',
    'eq:',
    `in:${Array(101).fill('A').join(',')}`,
  ])('400 for %p', (text) => {
    expect(() => readBalanceFilter(text, undefined)).toThrow(/^filter\[currency\] must/)
  })
})

describe('filter[amount]', () => {
  test.each([
    ['lt:10', ['9.999', '0'], ['10', '10.0', '11']],
    ['lte:10', ['10', '10.00'], ['10.000000000000000001']],
    ['gt:0.1', ['0.100000000000000001'], ['0.1', '0.09']],
    ['gte:12.50', ['12.5', '100'], ['12.49']],
    ['eq:1.50', ['1.5'], ['15', '1.05']],
    ['ne:1.5', ['1.51'], ['1.50']],
  ])('%s', (text, taken, left) => {
    const { takesAmount } = readBalanceFilter(undefined, text)
    expect(taken.every(takesAmount)).toBe(true)
    expect(left.some(takesAmount)).toBe(false)
  })

  test.each(['', '10', 'lt', 'lt:', 'lt:-1', 'lt:1e3', 'LT:1', 'toString:1', 'lt:1.', 'lt: 1', 'between:1,2'])(
    '400 for %p',
    (text) => {
      expect(() => readBalanceFilter(undefined, text)).toThrow(/^filter\[amount\] must/)
    },
  )
})

test('all that is wrong is said at once', () => {
  expect(() => readBalanceFilter('in:', 'x')).toThrow(/^filter\[currency\] must .*; filter\[amount\] must/)
})
