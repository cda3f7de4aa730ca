import { randomBytes } from 'node:crypto'
import { apiKeyPrefixes } from '@bursar/http'
import type { Config } from '../config'

type Environment = Config['environment']

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The length of 32 bytes in base 62. */
const length = 43

/** A new API key: the environment's prefix and 32 random bytes in base 62 (decisions, Who may call 8). */
export const newKey = (environment: Environment): string => apiKeyPrefixes[environment] + base62(randomBytes(32))

function base62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text
  return text.padStart(length, '0')
}
