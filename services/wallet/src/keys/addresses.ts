import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'

/** The address of an uncompressed secp256k1 public key (65 bytes), with its checksum (EIP-55). */
export const evmAddress = (publicKey: Uint8Array): string =>
  checksummed(bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12)))

/** EIP-55: 40 hexadecimal digits, in lower case and without 0x, with the checksum in their case. */
export function checksummed(digits: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  return `0x${[...digits].map((digit, i) => (Number.parseInt(hash[i] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}

/** The address of an ed25519 public key: its 32 bytes in base58. */
export const solanaAddress = (publicKey: Uint8Array): string => base58.encode(publicKey)

/** The problem of an EVM address; null for none. One in mixed case must have a valid checksum. */
export function evmProblem(address: string): string | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return 'must be an address of 0x and 40 hexadecimal digits'
  const digits = address.slice(2).toLowerCase()
  if (address.slice(2) === digits || address === checksummed(digits)) return null
  return 'must be in lower case or have a valid checksum in its upper and lower case (EIP-55)'
}

/** The problem of a Solana address; null for none. */
export function solanaProblem(address: string): string | null {
  try {
    if (address.length <= 44 && base58.decode(address).length === 32) return null
  } catch {
    // Not base58 at all: the same answer.
  }
  return 'must be a Solana address: 32 bytes in base58'
}
