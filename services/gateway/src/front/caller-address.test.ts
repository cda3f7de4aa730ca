import { describe, expect, test } from 'bun:test'
import { callerAddress, countedAddress, countedSite } from './caller-address'

const proxied = callerAddress(['10.0.0.0/8', '2001:db8:ffff::/48'])
const of = (forwardedFor: string | null, peer: string | null = '10.0.0.1') => proxied(peer, forwardedFor)

describe('X-Forwarded-For of a trusted proxy', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['2001:DB8:0:0::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['"[2001:db8::7]:443"', '2001:db8::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['  203.0.113.7  ', '203.0.113.7'],
    ['203.0.113.7,', '203.0.113.7'],
    ['203.0.113.7, ,', '203.0.113.7'],
    // What the caller itself wrote stands before.
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['nonsense, 203.0.113.7:80', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7, 10.9.9.9, [2001:db8:ffff::1]:80', '203.0.113.7'],
    // All of them are proxies: the first one's own.
    ['10.2.2.2, 10.3.3.3', '10.2.2.2'],
  ])('%p is %p', (header, address) => {
    expect(of(header)).toBe(address)
  })

  test.each([
    '',
    ',',
    'unknown',
    '_hidden',
    '999.1.1.1',
    '[203.0.113.7]',
    '203.0.113.7:x',
    '[2001:db8::7',
    '1.2.3.4, junk',
  ])('%p has no address: the proxy that wrote it is the caller', (header) => {
    expect(of(header)).toBe('10.0.0.1')
  })
  test('behind a second proxy, the address that it wrote is the caller', () => {
    expect(of('junk, 10.5.5.5')).toBe('10.5.5.5')
  })
})

test('is ignored from anybody else', () => {
  expect(of('203.0.113.7', '192.0.2.9')).toBe('192.0.2.9')
  expect(of('203.0.113.7', null)).toBe('unknown')
  expect(callerAddress([])('::ffff:192.0.2.9', '203.0.113.7')).toBe('192.0.2.9')
})

test('an IPv6 network counts as one caller, in any notation', () => {
  const counted = (entry: string) => countedAddress(of(entry))
  expect(counted('2001:db8:1:2::1')).toBe(counted('[2001:0DB8:0001:0002:ffff::9]:80'))
  expect(counted('2001:db8:1:2::1')).not.toBe(counted('2001:db8:1:3::1'))
  expect(counted('2001:db8::1')).toBe(counted('2001:db8:0:0:1::'))
  expect(counted('203.0.113.7:80')).toBe('203.0.113.7')
})

test('its site has many networks; an IPv4 address has none', () => {
  expect(countedSite('2001:db8:1:2::1')).toBe('2001:db8:1::/48')
  expect(countedSite('2001:db8::1')).toBe('2001:db8:0::/48')
  expect(countedSite('203.0.113.7')).toBeNull()
})
