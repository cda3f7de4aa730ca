import { sha256 } from '@noble/hashes/sha2.js'
import { base58, createBase58check } from '@scure/base'

const base58check = createBase58check(sha256)

/** The version byte and payload of a base58check text; null when it is not one. */
export function decodeBase58check(text: string): Uint8Array | null {
  try {
    return base58check.decode(text)
  } catch {
    return null
  }
}

/** Solana: base58 of a public key, 32 bytes. */
export function solanaProblem(address: string): string | null {
  try {
    if (address.length <= 44 && base58.decode(address).length === 32) return null
  } catch {
    // Not base58 at all.
  }
  return 'must be a Solana address: 32 bytes in base58'
}

/** Tron: base58check of 0x41 and 20 bytes, which begins with T. */
export function tronProblem(address: string): string | null {
  const bytes = decodeBase58check(address)
  return bytes?.length === 21 && bytes[0] === 0x41 ? null : 'must be a Tron address: T and 33 more characters in base58'
}
