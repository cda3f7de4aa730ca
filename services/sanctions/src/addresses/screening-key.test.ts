import { expect, test } from 'bun:test'
import { screeningKey } from './screening-key'

const lazarus = '0x098b716b8aaf21512996dc57eb0615e2383e2f96'

test.each([
  ['0x098B716B8Aaf21512996dC57EB0615e2383E2f96', lazarus],
  ['0X098B716B8AAF21512996DC57EB0615E2383E2F96', lazarus],
  ['098B716B8Aaf21512996dC57EB0615e2383E2f96', lazarus],
  [`  ${lazarus}\t`, lazarus],
  ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ['QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
])('%s is the same as %s', (written, key) => {
  expect(screeningKey(written)).toBe(key)
  expect(screeningKey(key)).toBe(key)
})

test.each([
  '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h',
  'TBHTJqAy4DhHhmT3dNceJYNRz4SdLofLre',
  '42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi',
])('base58 keeps its case: %s', (address) => {
  expect(screeningKey(address)).toBe(address)
  expect(screeningKey(address.toLowerCase())).not.toBe(screeningKey(address))
})
