/** Replaces values that the trail does not store. */
export const redacted = '[left out]'

/** Names of fields whose values are credentials; compared in lower case without `-` and `_`. */
const secretNames =
  /passw|passphrase|passcode|recoverycode|otpauth|challenge|secret|token|apikey|privatekey|signingkey|encryptionkey|authorization|authconsumerid|credential|cookie|mnemonic|seed|keystore|^(key|keys|pin|otp|totp|pwd|auth|bearer|jwt|headers)$/

/** Texts that are credentials in any field: API keys, webhook secrets, tokens, PEM keys. */
const secretTexts = /\b(sk_(live|test)_|whsec_)\S+|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----/

const deepest = 12

/** Fields about credentials that are none: ids, expiries. `authConsumerId`, however, is an API key. */
const aboutSecrets = /(Id|Ids|At|Count|Date|Until)$|[-_](id|ids|at|count|date|until)$/

/** Whether a field's name means a credential. */
export const isSecretName = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[-_.\s]/g, '')
  return secretNames.test(plain) && (plain === 'authconsumerid' || !aboutSecrets.test(name))
}

/** A JSON value without credentials: recognised by field name or by the text itself. */
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
