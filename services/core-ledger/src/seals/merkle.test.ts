import { expect, test } from 'bun:test'
import { merkleRoot } from './merkle'

/** RFC 6962, section 2.1, word for word. */
function rfc6962(leaves: string[]): Buffer {
  const sha = (...parts: (Buffer | string)[]) => {
    const hasher = new Bun.CryptoHasher('sha256')
    for (const part of parts) hasher.update(part)
    return hasher.digest()
  }
  if (leaves.length === 0) return sha()
  if (leaves.length === 1) return sha('\x00', leaves[0] ?? '')
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return sha('\x01', rfc6962(leaves.slice(0, split)), rfc6962(leaves.slice(split)))
}

test('the root is that of RFC 6962, whatever the number of leaves', () => {
  for (let count = 0; count <= 40; count++) {
    const leaves = Array.from({ length: count }, (_, i) => `leaf ${i}`)
    expect(merkleRoot(leaves)).toBe(rfc6962(leaves).toString('hex'))
  }
})

test('known answers: nothing, and one empty leaf', () => {
  expect(merkleRoot([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(merkleRoot([''])).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
})

test('leaves are bytes of UTF-8, whatever their characters are', () => {
  for (const leaf of ['ü', '€', '\u0000', 'a\u0000b', '🙂', 'x'.repeat(5000)]) {
    for (const leaves of [[leaf], [leaf, 'plain'], ['plain', leaf, leaf]]) {
      expect(merkleRoot(leaves)).toBe(rfc6962(leaves).toString('hex'))
    }
  }
})

test('order counts', () => {
  expect(merkleRoot(['a', 'b'])).not.toBe(merkleRoot(['b', 'a']))
})
