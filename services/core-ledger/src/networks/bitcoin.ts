import { bech32, bech32m } from '@scure/base'
import { decodeBase58check } from './base58'

/** P2PKH and P2SH, of the main network and of the test networks. */
const versions = new Set([0x00, 0x05, 0x6f, 0xc4])
const prefixes = new Set(['bc', 'tb', 'bcrt'])

/** Bitcoin: base58check, bech32 (witness version 0) or bech32m (later versions; BIP 350). */
export function bitcoinProblem(address: string): string | null {
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
