import { expect, test } from 'bun:test'
import { compareDecimals } from './compare-decimals'

test.each([
  ['2', '10', -1],
  ['0.5', '0.50', 0],
  ['3.1', '3.09', 1],
  ['0.000000000000000001', '0', 1],
])('%s and %s: %d', (a, b, order) => expect(compareDecimals(a, b)).toBe(order))
