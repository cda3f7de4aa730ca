import { expect, test } from 'bun:test'
import { base32, hotp, otpauthUri, stepOf, stepOfCode } from './totp'

const secret = Buffer.from('12345678901234567890')

// RFC 6238, appendix B, SHA-1.
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('RFC 6238: at %p s the code is %p', (seconds, code) => {
  expect(hotp(secret, stepOf(new Date(seconds * 1000)), 8)).toBe(code)
})

// RFC 4226, appendix D.
test('RFC 4226: the first ten codes', () => {
  const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
  expect(codes.map((_, counter) => hotp(secret, counter))).toEqual(codes)
})

// RFC 4648, section 10, without padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %p is %p', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
})

test('a code is valid in the steps around its own, once, and not after a later one', () => {
  const at = (seconds: number) => new Date(seconds * 1000)
  const code = hotp(secret, 100)
  for (const seconds of [2970, 2999, 3000, 3059])
    expect([seconds, stepOfCode(secret, code, 0, at(seconds))]).toEqual([seconds, 100])
  for (const seconds of [2969, 3060])
    expect([seconds, stepOfCode(secret, code, 0, at(seconds))]).toEqual([seconds, null])
  expect(stepOfCode(secret, code, 100, at(3000))).toBeNull()
  expect(stepOfCode(secret, code, 101, at(3000))).toBeNull()
  for (const wrong of ['', '000000', code.slice(1), `${code}0`])
    expect(stepOfCode(secret, wrong, 0, at(3000))).toBeNull()
})

test('the URI names the issuer, the user and the secret', () => {
  const uri = new URL(otpauthUri(secret, 'a+b@bank.example', 'Bursar Bank'))
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Bursar Bank:a+b@bank.example',
  ])
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    issuer: 'Bursar Bank',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
