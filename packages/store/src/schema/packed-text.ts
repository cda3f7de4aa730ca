// Ids and hashes are most of what many rows tell: kept as base64url they take 23 and 45 characters instead of 36 and 66.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const hash = /^0x[0-9a-f]{64}$/
const mark = '~'
const packedUuid = mark.length + 22
const packedHash = mark.length + 43

/** A text as it is stored: a UUID or a hash in lower case is shortened, any other stays as it is, or has a mark before it. */
export function packText(text: string): string {
  if (text.length === 36 && uuid.test(text)) return mark + toBase64(text.replaceAll('-', ''))
  if (text.length === 66 && hash.test(text)) return mark + toBase64(text.slice(2))
  return text.startsWith(mark) ? mark + text : text
}

/** The text that `packText` was given. */
export function unpackText(stored: string): string {
  if (!stored.startsWith(mark)) return stored
  const rest = stored.slice(mark.length)
  if (rest.startsWith(mark)) return rest
  if (stored.length === packedHash) return `0x${toHex(rest)}`
  if (stored.length !== packedUuid) throw new Error('A stored text has no form that is known')
  const hex = toHex(rest)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const toBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url')
const toHex = (base64: string): string => Buffer.from(base64, 'base64url').toString('hex')
