import { expect, test } from 'bun:test'
import { totalText } from './keyset'

test('a total is its number, and a plus behind the most that are counted where there are more', () => {
  expect([0, 100_000, 100_001].map(totalText)).toEqual(['0', '100000', '100000+'])
})
