import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** EIP-55: an address in mixed case contains a checksum; one in lower case has none. */
export function evmProblem(address: string): string | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return 'must be an address of 0x and 40 hexadecimal digits'
  const lower = address.toLowerCase()
  if (address === lower || address === checksummed(lower)) return null
  return 'must be in lower case or have a valid checksum in its upper and lower case (EIP-55)'
}

/** The checksummed form of an address in lower case, with 0x. */
export function checksummed(lower: string): string {
  const digits = lower.slice(2)
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const cased = [...digits].map((digit, i) => (Number.parseInt(hash[i] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit))
  return `0x${cased.join('')}`
}
