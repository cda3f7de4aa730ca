import { expect, test } from 'bun:test'
import { SealBrokenError } from '@bursar/http'
import { mask, masked } from './credential-leaves'
import { createCredentials } from './credentials'

const { seal, open } = createCredentials(Buffer.alloc(32, 1))
const config = { priority: 1, apiKey: 'key', headers: { A: 'a' }, credential: { n: 5, yes: true, none: null } }

test('sealing and opening restores the config, and leaves the rest unchanged', () => {
  const sealed = seal(config, 'p')
  expect(sealed.priority).toBe(1)
  expect(JSON.stringify(sealed)).not.toContain('"key"')
  expect(open(sealed, 'p')).toEqual(config)
})

test('the same credential is encrypted differently each time', () => {
  expect(seal(config, 'p').apiKey).not.toBe(seal(config, 'p').apiKey)
})

test.each([
  ['altered', 'p', (text: string) => text.slice(0, 3) + (text[3] === 'A' ? 'B' : 'A') + text.slice(4)],
  ['cut short', 'p', (text: string) => text.slice(0, 12)],
  ['not sealed at all', 'p', () => 'key'],
  ['of another provider', 'q', (text: string) => text],
])('one that is %s does not open, and the error reveals nothing of it', (_what, providerId, change) => {
  const sealed = seal(config, 'p')
  const broken = { ...sealed, apiKey: change(String(sealed.apiKey)) }
  expect(() => open(broken, providerId)).toThrow(SealBrokenError)
  expect(() => open(broken, providerId)).toThrow(`config.apiKey of provider ${providerId} cannot be decrypted`)
})

test('one sealed with another key does not open', () => {
  expect(() => createCredentials(Buffer.alloc(32, 2)).open(seal(config, 'p'), 'p')).toThrow(SealBrokenError)
})

test('a mask keeps the value stored at its path', () => {
  const stored = seal(config, 'p')
  const kept = seal({ apiKey: mask, headers: { A: 'new', B: 'b' }, credential: { n: mask } }, 'p', stored)
  expect(open(kept, 'p')).toEqual({ apiKey: 'key', headers: { A: 'new', B: 'b' }, credential: { n: 5 } })
})

test('a mask without a stored value is refused', () => {
  expect(() => seal({ headers: { B: mask } }, 'p', seal(config, 'p'))).toThrow('config.headers.B is the mask')
  expect(() => seal({ headers: { toString: mask } }, 'p', {})).toThrow('config.headers.toString is the mask')
})

test('masks everything in a credential, under any common name', () => {
  const names = [
    ...['apiKey', 'API_KEY', 'api-key', 'X-Api-Key', 'key', 'secretAccessKey', 'signing_key', 'privateKey'],
    ...['Authorization', 'accessToken', 'refresh_token', 'token', 'jwt', 'bearer', 'cookie'],
    ...['client_secret', 'webhookSecret', 'password', 'pwd', 'credentials', 'auth'],
  ]
  for (const name of names) expect(masked({ [name]: { deep: ['x'] } })).toEqual({ [name]: { deep: [mask] } })
})

test('leaves names that only resemble one', () => {
  const plain = { baseToken: 'USDC', monkey: 1, priceKey: 'last', keyword: 'x', author: 'x', passThrough: true }
  expect(masked(plain)).toEqual(plain)
})

test('leaves the tables by asset code alone', () => {
  const tables = { rates: { TOKEN: 1.5, AUTH: '2' }, symbols: { SECRET: 'secret-network' } }
  expect(masked(tables)).toEqual(tables)
})

test('a key with a meaning in JavaScript is a key like any other', () => {
  const odd = JSON.parse('{"__proto__":{"apiKey":"x"},"constructor":1}')
  expect(JSON.stringify(masked(odd))).toBe(`{"__proto__":{"apiKey":"${mask}"},"constructor":1}`)
})
