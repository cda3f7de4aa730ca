import { describe, expect, test } from 'bun:test'
import { mayReach, parseAllowList, parseAllowRule } from './outbound-address'

const reach = (address: string, allow: string[] = [], host = 'some.test', port = 443) =>
  mayReach(allow.map(parseAllowRule), host, port, address)

describe('public addresses', () => {
  test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s may be reached', (address) => {
    expect(reach(address)).toBe(true)
  })

  test.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
    '1000::1',
    '5f00::1',
    'not an address',
    '',
  ])('%s may not', (address) => {
    expect(reach(address)).toBe(false)
  })
})

describe('the allow-list', () => {
  test('a host is allowed on every port, a host with a port on that one', () => {
    expect(reach('10.0.0.1', ['some.test'])).toBe(true)
    expect(reach('10.0.0.1', ['SOME.test:443'])).toBe(true)
    expect(reach('10.0.0.1', ['some.test:80'])).toBe(false)
    expect(reach('10.0.0.1', ['other.test'])).toBe(false)
  })

  test('an address and a range are allowed whatever name led there', () => {
    expect(reach('10.0.0.1', ['10.0.0.1'])).toBe(true)
    expect(reach('10.0.0.2', ['10.0.0.1'])).toBe(false)
    expect(reach('10.9.9.9', ['10.0.0.0/8'])).toBe(true)
    expect(reach('::ffff:10.9.9.9', ['10.0.0.0/8'])).toBe(true)
    expect(reach('11.0.0.1', ['10.0.0.0/8'])).toBe(true)
    expect(reach('127.0.0.1', ['10.0.0.0/8'])).toBe(false)
    expect(reach('127.0.0.1', ['127.0.0.1:443'])).toBe(true)
    expect(reach('127.0.0.1', ['127.0.0.1:80'])).toBe(false)
    expect(reach('::1', ['::1'])).toBe(true)
    expect(reach('::1', ['[::1]:443'])).toBe(true)
    expect(reach('fc00::7', ['fc00::/7'])).toBe(true)
    expect(reach('fc00::7', ['0.0.0.0/0'])).toBe(false)
  })

  test('is read from one comma-separated text', () => {
    expect(parseAllowList(undefined)).toEqual([])
    expect(parseAllowList(' ')).toEqual([])
    expect(parseAllowList('a.test, b.test:8080,,10.0.0.0/8 ,[::1]:80')).toEqual([
      'a.test',
      'b.test:8080',
      '10.0.0.0/8',
      '[::1]:80',
    ])
  })

  test.each(['http://a.test', 'a.test:', 'a.test:0', 'a.test:70000', '10.0.0.0/40', 'a b', '[::1', '*.test'])(
    '"%s" is refused by name',
    (entry) => {
      expect(() => parseAllowList(`ok.test,${entry}`)).toThrow(entry)
    },
  )
})
