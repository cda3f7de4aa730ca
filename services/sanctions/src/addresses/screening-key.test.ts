import { expect, test } from 'bun:test'
import { bareAddress, screeningKey } from './screening-key'

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
  'bitcoin:12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h',
  'BITCOIN:12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h?amount=1',
  'bip122:000000000019d6689c085ae165831e93:12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h',
  ' tron:12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h ',
])('a link is the address in it: %s', (link) => {
  expect(bareAddress(link)).toBe('12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h')
  expect(screeningKey(link)).toBe('12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h')
})

test.each([
  `ethereum:0xdac17f958d2ee523a2206206994597c13d831ec7/transfer?address=${lazarus}&uint256=1e6`,
  `ethereum:0xdac17f958d2ee523a2206206994597c13d831ec7@1/transfer?uint256=1&address=${lazarus.toUpperCase()}`,
])('the link of a token’s transfer is who gets it, not the token: %s', (link) => {
  expect(screeningKey(link)).toBe(lazarus)
})

test('a link of Bitcoin Cash is the address in it', () => {
  const address = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'
  expect(bareAddress(`${address}?amount=1`)).toBe(address)
  expect(screeningKey(`${address.toUpperCase()}?AMOUNT=1`)).toBe(screeningKey(address))
})

test('what nobody sees is no part of an address', () => {
  expect(screeningKey('0x098B716B8Aaf21512996\u200bdC57EB0615e2383E2f96\ufeff')).toBe(lazarus)
  expect(screeningKey('0x098B716B8Aaf21512996\n dC57EB0615e2383E2f96')).toBe(lazarus)
})

// What is before the colon is part of these: another one is another address.
test.each([
  '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
  'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe:104',
])('no link: %s', (address) => {
  expect(screeningKey(address)).toBe(address)
})

test.each([
  '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h',
  'TBHTJqAy4DhHhmT3dNceJYNRz4SdLofLre',
  '42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi',
])('base58 keeps its case: %s', (address) => {
  expect(screeningKey(address)).toBe(address)
  expect(screeningKey(address.toLowerCase())).not.toBe(screeningKey(address))
})
