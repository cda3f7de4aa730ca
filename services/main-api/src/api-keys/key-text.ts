import { createHash, randomBytes } from 'node:crypto'
import type { Config } from '../config'

type Environment = Config['environment']

const prefixes: Record<Environment, string> = { production: 'sk_live_', sandbox: 'sk_test_' }
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** What 32 bytes need in base 62. */
const length = 43

/** A new API key: the environment's prefix and 32 random bytes in base 62 (decisions, Who may call 8). */
export const newKey = (environment: Environment): string => prefixes[environment] + base62(randomBytes(32))

/** False for a key of the other environment; keys of another form have none. */
export const isOfEnvironment = (key: string, environment: Environment): boolean =>
  !Object.entries(prefixes).some(([other, prefix]) => other !== environment && key.startsWith(prefix))

/** SHA-256, hexadecimal: keys are looked up by it. */
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

function base62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text
  return text.padStart(length, '0')
}
