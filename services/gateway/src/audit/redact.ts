/** Stands for what the trail does not keep. */
export const redacted = '[left out]'

/** Names of fields whose values are credentials; compared in lower case without `-` and `_`. */
const secretNames =
  /passw|passphrase|passcode|secret|token|apikey|privatekey|signingkey|encryptionkey|authorization|authconsumerid|credential|cookie|mnemonic|seed|keystore|^(key|keys|pin|otp|totp|pwd|auth|bearer|jwt|headers)$/

/** Texts that are credentials whatever their field is called: API keys, webhook secrets, tokens, PEM keys. */
const secretTexts = /\b(sk_(live|test)_|whsec_)\S+|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----/

const deepest = 12

/** True for a field's name that promises a credential. An id or a time of one is none: `apiKeyId`, `tokenExpiresAt`. */
export const isSecretName = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[-_.\s]/g, '')
  return secretNames.test(plain) && !/(id|ids|at|on|count|expirationdate|validuntil)$/.test(withoutExceptions(plain))
}

/** It ends like an id, and is an API key (decisions, Who may call 6). */
const withoutExceptions = (plain: string): string => (plain === 'authconsumerid' ? '' : plain)

/** A JSON value without credentials: what their fields or the texts themselves give away is left out. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return secretTexts.test(value) ? redacted : value
  if (typeof value !== 'object' || value === null) return value
  if (depth === deepest) return redacted
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      inner !== null && isSecretName(name) ? redacted : withoutSecrets(inner, depth + 1),
    ]),
  )
}
