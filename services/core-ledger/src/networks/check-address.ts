import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import { fail } from '../errors'
import { familyOf, type NetworkFamily } from './networks'

/** What is wrong with an address, as a phrase that follows the field's name; null if nothing is. */
type AddressProblem = (address: string) => string | null

const visible = /^[\x21-\x7e]{1,128}$/

const problems: Record<NetworkFamily, AddressProblem> = {
  evm: evmProblem,
  solana: solanaProblem,
  bitcoin: bitcoinProblem,
  tron: tronProblem,
  other: (address) => (visible.test(address) ? null : 'must be 1 to 128 visible characters without spaces'),
}

/**
 * Fails with 400 if the text is not an address of the network (decisions, Destination address). For unknown networks,
 * any visible text is accepted.
 */
export function checkAddress(network: string, address: string, field: string): void {
  const problem = problems[familyOf(network)](address)
  if (problem !== null) throw fail('ADDRESS_INVALID', { message: `${field} ${problem}` })
}

/** EIP-55: an address in mixed case contains a checksum; one in lower case has none. */
function evmProblem(address: string): string | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return 'must be an address of 0x and 40 hexadecimal digits'
  const lower = address.toLowerCase()
  if (address === lower || address === checksummed(lower)) return null
  return 'must be in lower case or have a valid checksum in its upper and lower case (EIP-55)'
}

/** The checksummed form of an address in lower case, with 0x. */
function checksummed(lower: string): string {
  const digits = lower.slice(2)
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const cased = [...digits].map((digit, i) => (Number.parseInt(hash[i] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit))
  return `0x${cased.join('')}`
}

const base58check = createBase58check(sha256)

/** The version byte and payload of a base58check text; null when it is not one. */
function decodeBase58check(text: string): Uint8Array | null {
  try {
    return base58check.decode(text)
  } catch {
    return null
  }
}

/** Solana: base58 of a public key, 32 bytes. */
function solanaProblem(address: string): string | null {
  try {
    if (address.length <= 44 && base58.decode(address).length === 32) return null
  } catch {
    // Not base58 at all.
  }
  return 'must be a Solana address: 32 bytes in base58'
}

/** Tron: base58check of 0x41 and 20 bytes, which begins with T. */
function tronProblem(address: string): string | null {
  const bytes = decodeBase58check(address)
  return bytes?.length === 21 && bytes[0] === 0x41 ? null : 'must be a Tron address: T and 33 more characters in base58'
}

/** P2PKH and P2SH, of the main network and of the test networks. */
const versions = new Set([0x00, 0x05, 0x6f, 0xc4])
const prefixes = new Set(['bc', 'tb', 'bcrt'])

/** Bitcoin: base58check, bech32 (witness version 0) or bech32m (later versions; BIP 350). */
function bitcoinProblem(address: string): string | null {
  const valid = /^(bc|tb|bcrt)1/i.test(address) ? isSegwit(address) : isLegacy(address)
  return valid ? null : 'must be a Bitcoin address in base58check, bech32 or bech32m, with a valid checksum'
}

function isLegacy(address: string): boolean {
  const bytes = decodeBase58check(address)
  return bytes?.length === 21 && versions.has(bytes[0] ?? -1)
}

function isSegwit(address: string): boolean {
  const old = bech32.decodeUnsafe(address as `${string}1${string}`, 90)
  const decoded = old ?? bech32m.decodeUnsafe(address as `${string}1${string}`, 90)
  if (!decoded || !prefixes.has(decoded.prefix)) return false
  const [version, ...words] = decoded.words
  const program = bech32.fromWordsUnsafe(words)
  if (version === undefined || version > 16 || !program) return false
  if ((version === 0) !== (old !== undefined)) return false
  return version === 0 ? [20, 32].includes(program.length) : program.length >= 2 && program.length <= 40
}
