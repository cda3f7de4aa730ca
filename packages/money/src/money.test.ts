import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatAmount, mean, median, parseAmount, parsePositiveAmount, scaled, worth } from './index'

describe('amounts', () => {
  test('a decimal string becomes an integer of the smallest unit', () => {
    expect(parseAmount('1.5', 8)).toBe(150_000_000n)
    expect(parseAmount('0', 8)).toBe(0n)
    expect(parseAmount('7', 0)).toBe(7n)
    expect(parseAmount('0.000000000000000001', 18)).toBe(1n)
  })

  test.each(['1e5', ' 1', '1 ', '0x1', '-0', '-1', '+1', '', '.5', '1.', '01', '1,5', 'NaN', 'Infinity', '١', '1_000'])(
    '%j is no amount',
    (text) => expect(() => parseAmount(text, 8)).toThrow('must be a decimal number'),
  )

  test('more decimals than the asset has are refused, zeros too', () => {
    expect(() => parseAmount('1.123456789', 8)).toThrow('at most 8 decimals')
    expect(() => parseAmount('1.0', 0)).toThrow('at most 0 decimals')
  })

  test('38 digits fit, 39 do not', () => {
    expect(parseAmount('9'.repeat(38), 0)).toBe(10n ** 38n - 1n)
    expect(() => parseAmount('9'.repeat(39), 0)).toThrow('at most 38 digits')
    expect(parseAmount(`${'9'.repeat(20)}.${'9'.repeat(18)}`, 18)).toBe(10n ** 38n - 1n)
    expect(() => parseAmount(`${'9'.repeat(21)}.${'9'.repeat(18)}`, 18)).toThrow('at most 38 digits')
    expect(parseAmount(`0.${'9'.repeat(38)}`, 38)).toBe(10n ** 38n - 1n)
    expect(() => parseAmount(`1.${'9'.repeat(38)}`, 38)).toThrow('at most 38 digits')
    expect(parseAmount('9'.repeat(78), 0, 78)).toBe(10n ** 78n - 1n)
    expect(() => parseAmount(`${'9'.repeat(60)}.${'9'.repeat(19)}`, 19, 78)).toThrow('at most 78 digits')
  })

  test('a movement of nothing is refused', () => {
    expect(() => parsePositiveAmount('0.00', 2)).toThrow('must be greater than 0')
    expect(parsePositiveAmount('0.01', 2)).toBe(1n)
  })

  test('format and parse are inverse, whatever the decimals', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 20n), fc.integer({ min: 0, max: 38 }), (amount, decimals) => {
        expect(parseAmount(formatAmount(amount, decimals), decimals)).toBe(amount)
      }),
    )
  })

  test('a negative entry keeps its sign', () => {
    expect(formatAmount(-5n, 2)).toBe('-0.05')
    expect(formatAmount(-150n, 2)).toBe('-1.5')
  })
})

describe('rates', () => {
  test('the mean is exact where floating point is not', () => {
    expect(mean(['0.1', '0.2']).toString()).toBe('0.15')
    expect(mean([1, 1, 2]).toString()).toBe('1.333333333333333333')
    expect(() => mean([])).toThrow('no rates')
  })

  test('the median is the middle one, or the mean of the middle two', () => {
    expect(median([3, 1, 2]).toString()).toBe('2')
    expect(median([4, 1, 2, 3]).toString()).toBe('2.5')
    expect(() => median([])).toThrow('no rates')
  })

  test('the mean lies between the least and the greatest rate', () => {
    const rates = fc.array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(rates, (list) => {
        const value = mean(list)
        expect(
          value.gte(Math.min(...list)) ||
            value
              .minus(Math.min(...list))
              .abs()
              .lt(1e-17),
        ).toBe(true)
        expect(
          value.lte(Math.max(...list)) ||
            value
              .minus(Math.max(...list))
              .abs()
              .lt(1e-17),
        ).toBe(true)
      }),
    )
  })

  test('an integer of the smallest unit has an exact decimal', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.integer({ min: 0, max: 38 }), (amount, decimals) => {
        expect(scaled(amount, decimals).toFixed()).toBe(formatAmount(amount, decimals))
      }),
    )
  })

  test('a value is rounded as told', () => {
    expect(worth(150_000_000n, 8, '2.333', 2, 'down').toString()).toBe('3.49')
    expect(worth(150_000_000n, 8, '2.333', 2, 'up').toString()).toBe('3.5')
  })
})
