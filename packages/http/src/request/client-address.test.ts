import { expect, test } from 'bun:test'
import { clientAddress } from './client-address'

test.each([
  ['203.0.113.5', null, '203.0.113.5'],
  ['203.0.113.5', '198.51.100.1', '203.0.113.5'],
  ['127.0.0.1', null, '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:127.0.0.1', 'forged, 198.51.100.1', '198.51.100.1'],
  ['::1', '', '::1'],
  [null, undefined, null],
  [null, '198.51.100.1', null],
])('%s with %p is %p', (peer, forwardedFor, address) => {
  expect(clientAddress(peer, forwardedFor)).toBe(address)
})
