import { networkName } from '@bursar/contracts/network-name'

/** Networks that share the form of their addresses and hashes. */
export type NetworkFamily = 'evm' | 'solana' | 'bitcoin' | 'tron' | 'other'

/** By the first word of a network's name: `ethereum-sepolia`, `solana devnet`. */
const families = new Map<string, NetworkFamily>([
  ['ethereum', 'evm'],
  ['sepolia', 'evm'],
  ['holesky', 'evm'],
  ['polygon', 'evm'],
  ['base', 'evm'],
  ['arbitrum', 'evm'],
  ['optimism', 'evm'],
  ['avalanche', 'evm'],
  ['bsc', 'evm'],
  ['solana', 'solana'],
  ['bitcoin', 'bitcoin'],
  ['tron', 'tron'],
])

/** The forms of names that were asked for: a deployment has few networks, and each transaction asks several times. */
const known = new Map<string, string>()
const mostKnown = 1000

/** The one form of a network's name, for comparisons: also of names that no asset may have any more. */
export function normalNetwork(name: string): string {
  const form = known.get(name)
  if (form !== undefined) return form
  const text = name.normalize('NFKC')
  const made = networkName(text) ?? text.trim().toLowerCase()
  if (known.size >= mostKnown) known.clear()
  known.set(name, made)
  return made
}

export function familyOf(network: string): NetworkFamily {
  const [word = ''] = normalNetwork(network).split(/[^a-z]/)
  return families.get(word) ?? 'other'
}

/**
 * The one form of a transaction's hash on a network: hexadecimal ones in lower case, with `0x`; Bitcoin's and Tron's
 * without. Solana's are case-sensitive and stay as they are, as does any other text.
 */
export function normalHash(network: string, hash: string): string {
  const text = hash.trim()
  const family = familyOf(network)
  if (family === 'solana' || !/^(0x[0-9a-f]+|[0-9a-f]{64})$/i.test(text)) return text
  const digits = text.toLowerCase().replace(/^0x/, '')
  return family === 'bitcoin' || family === 'tron' ? digits : `0x${digits}`
}

/** Identifies one on-chain transfer, however its network and hash are written. */
export const transferKey = (network: string, txHash: string, logIndex: number): string =>
  `${transactionKey(network, txHash)}${logIndex}`

/** The same of a transfer that a person names: its log index may be wrong, and is no claim to the chain's. */
export const namedTransferKey = (network: string, txHash: string, logIndex: number): string =>
  `${transactionKey(network, txHash)}named ${logIndex}`

/** What all keys of an on-chain transaction's transfers begin with. */
export const transactionKey = (network: string, txHash: string): string =>
  `${normalNetwork(network)} ${normalHash(network, txHash)} `
