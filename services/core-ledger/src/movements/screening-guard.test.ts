import { expect, test } from 'bun:test'
import { screeningGuard } from './screening-guard'

const guard = screeningGuard({ screeningSecret: undefined, screeningAllow: ['192.0.2.7', '10.0.0.0/8'] })
const isTaken = (address: string | null, forwarded?: string): boolean => {
  try {
    const headers = new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded })
    guard({ headers, body: '', address })
    return true
  } catch {
    return false
  }
}

test('the connection’s address decides', () => {
  expect(isTaken('192.0.2.7')).toBe(true)
  expect(isTaken('::ffff:10.1.2.3')).toBe(true)
  expect(isTaken('192.0.2.8')).toBe(false)
  expect(isTaken(null)).toBe(false)
  // Of a caller who has hung up.
  expect(isTaken(null, '192.0.2.7')).toBe(false)
})

test.each(['192.0.2.8', '::ffff:192.0.2.8', '2001:db8::1', '128.0.0.1', '1.127.0.0'])(
  'X-Forwarded-For of %s is not believed',
  (address) => expect(isTaken(address, '192.0.2.7')).toBe(false),
)

test.each(['127.0.0.1', '127.3.2.1', '::1', '::ffff:127.0.0.1'])(
  'X-Forwarded-For of %s is: its last entry',
  (address) => {
    expect(isTaken(address, '192.0.2.7')).toBe(true)
    expect(isTaken(address, '192.0.2.8, 192.0.2.7')).toBe(true)
    expect(isTaken(address, '192.0.2.7, 192.0.2.8')).toBe(false)
    expect(isTaken(address)).toBe(false)
  },
)
