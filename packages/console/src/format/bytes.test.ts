import { expect, test } from 'bun:test'
import { formatBytes } from './bytes'

test.each([
  [0, '0 B'],
  [812, '812 B'],
  [1024, '1.0 KiB'],
  [1434, '1.4 KiB'],
  [10 * 1024 * 1024, '10 MiB'],
  [1023, '1023 B'],
  [1.5 * 1024 ** 3, '1.5 GiB'],
  [5 * 1024 ** 4, '5.0 TiB'],
  [5 * 1024 ** 5, '5120 TiB'],
])('%d bytes are %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words)
})
