import { expect, test } from 'bun:test'
import { config } from './config'

test('the defaults', () => {
  expect(config({})).toMatchObject({
    port: 4001,
    unknownAsset: 'default',
    maxDeviationPct: undefined,
    outboundAllow: [],
    secretKey: undefined,
  })
})

test('configured values', () => {
  const env = {
    QUOTE_UNKNOWN_ASSET: 'reject',
    QUOTE_MAX_DEVIATION_PCT: '2.5',
    OUTBOUND_ALLOW: 'a:1, b',
    QUOTE_PORT: '1',
  }
  expect(config(env)).toMatchObject({
    port: 1,
    unknownAsset: 'reject',
    maxDeviationPct: 2.5,
    outboundAllow: ['a:1', 'b'],
  })
})

test.each([
  ['QUOTE_UNKNOWN_ASSET', 'maybe'],
  ['QUOTE_MAX_DEVIATION_PCT', '0'],
  ['QUOTE_MAX_DEVIATION_PCT', '-1'],
  ['QUOTE_MAX_DEVIATION_PCT', 'five'],
])('%s=%s is refused, naming the variable', (name, value) => {
  expect(() => config({ [name]: value })).toThrow(name)
})
