import { expect, test } from 'bun:test'
import { sha256 } from './sha256'

// FIPS 180-4's example, and a text beyond ASCII by `printf 'Grüße' | sha256sum`.
test.each([
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['Grüße', 'f83e039796c6453a10f5519e39fd113901572316a1a8ea07cb525d2801dfd074'],
])('the hash of %s', (text, hash) => {
  expect(sha256(text)).toBe(hash)
  expect(sha256(new TextEncoder().encode(text))).toBe(hash)
  expect(sha256(text, 'base64url')).toBe(Buffer.from(hash, 'hex').toString('base64url'))
  expect(sha256(text, 'base64')).toBe(Buffer.from(hash, 'hex').toString('base64'))
})
