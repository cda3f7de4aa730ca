import { expect, test } from 'bun:test'
import { comparableAddress } from './address'

test('hexadecimal addresses are compared without regard to case, others to the letter', () => {
  expect(comparableAddress('0xABc')).toBe('0xabc')
  expect(comparableAddress('0xABz')).toBe('0xABz')
  expect(comparableAddress('So11')).toBe('So11')
})
