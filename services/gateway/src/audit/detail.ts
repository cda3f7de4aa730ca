import { withoutSecrets } from './redact'

/** What a row keeps of each of its parts, as JSON text. */
const mostChars = 32 * 1024

/** The JSON of a row's parts without their secrets. A part that is too long is there by its length and its hash. */
export function detailText(parts: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, kept(part)])))
}

function kept(part: unknown): unknown {
  if (part === undefined) return undefined
  const clean = withoutSecrets(part)
  const text = JSON.stringify(clean)
  if (text.length <= mostChars) return clean
  return { tooLong: text.length, sha256: new Bun.CryptoHasher('sha256').update(text).digest('hex') }
}
