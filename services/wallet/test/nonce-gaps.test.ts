import { expect, test } from 'bun:test'
import { createNonceGaps } from '../src/signing/nonce-gaps'

const sender = { network: 'polygon', sender: '0x4070000000000000000000000000000000000003' }

test('a gap holds up later nonces of its sender, until it is closed, or for ten seconds', () => {
  let now = 0
  const gaps = createNonceGaps(() => now)
  const isBehind = (nonce: number | null, other: object = {}) => gaps.isBehind({ ...sender, nonce, ...other })
  gaps.open({ ...sender, nonce: 5 })
  expect([4, 5, 6, null].map((nonce) => isBehind(nonce))).toEqual([false, false, true, false])
  expect(isBehind(6, { network: 'base' })).toBe(false)
  expect(isBehind(6, { sender: sender.sender.toUpperCase().replace('0X', '0x') })).toBe(true)
  gaps.close({ ...sender, nonce: 5 })
  expect(isBehind(6)).toBe(false)
  gaps.open({ ...sender, nonce: 5 })
  now = 9_999
  expect(isBehind(6)).toBe(true)
  now = 10_000
  expect(isBehind(6)).toBe(false)
})
