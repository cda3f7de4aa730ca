import { expect, test } from 'bun:test'
import { isSecretName, redacted, withoutSecrets } from './redact'

test.each([
  'password',
  'newPassword',
  'current_password',
  'secret',
  'webhookSecret',
  'token',
  'resetPasswordToken',
  'access-token',
  'apiKey',
  'API_KEY',
  'authConsumerId',
  'Authorization',
  'credential',
  'privateKey',
  'mnemonic',
  'key',
])('%s is a credential', (name) => expect(isSecretName(name)).toBe(true))

test.each(['apiKeyId', 'tokenId', 'tokenExpiresAt', 'status', 'email', 'monkey', 'accountId', 'keyboard', 'assetId'])(
  '%s is not a credential',
  (name) => expect(isSecretName(name)).toBe(false),
)

test('leaves out credentials at any depth, and nothing else', () => {
  const given = {
    name: 'Bank',
    config: { url: 'https://x', apiKey: 'abc', nested: [{ secret: { a: 1 } }] },
    note: 'the key is sk_live_abcdef, keep it',
    amount: '1.50',
    none: null,
    secret: null,
  }
  expect(withoutSecrets(given)).toEqual({
    name: 'Bank',
    config: { url: 'https://x', apiKey: redacted, nested: [{ secret: redacted }] },
    note: redacted,
    amount: '1.50',
    none: null,
    secret: null,
  })
})

test('reads at most a dozen levels', () => {
  let deep: unknown = 'bottom'
  for (let i = 0; i < 100; i++) deep = { a: deep }
  expect(JSON.stringify(withoutSecrets(deep))).not.toContain('bottom')
})
