import { networkName } from '@bursar/contracts/network-name'

/** Families of networks, which share the form of addresses and hashes. */
export type NetworkFamily = 'evm' | 'solana' | 'bitcoin' | 'tron' | 'other'

/** The family, by the first word of a network's name: `ethereum-sepolia`, `solana devnet`. */
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

/** A cache of normal forms: a deployment has few networks, and each transaction needs them several times. */
const known = new Map<string, string>()
const mostKnown = 1000

/** The normal form of a network's name, for comparisons; also of names that new assets may not have. */
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
 * The normal form of a transaction's hash on a network: hexadecimal in lower case, with `0x`; Bitcoin's and Tron's
 * without it. Solana's are case-sensitive and stay unchanged, like any other text.
 */
export function normalHash(network: string, hash: string): string {
  const text = hash.trim()
  const family = familyOf(network)
  if (family === 'solana' || !/^(0x[0-9a-f]+|[0-9a-f]{64})$/i.test(text)) return text
  const digits = text.toLowerCase().replace(/^0x/, '')
  return family === 'bitcoin' || family === 'tron' ? digits : `0x${digits}`
}

/** An amount as a chain reports it, in minor units; 0 if it is none. */
export const chainAmount = (text: string): bigint => (/^\d{1,78}$/.test(text) ? BigInt(text) : 0n)

/** Identifies an on-chain transfer, independent of the spelling of its network and hash. */
export const transferKey = (network: string, txHash: string, logIndex: number): string =>
  `${transactionKey(network, txHash)}${logIndex}`

/** The same for a transfer entered by a person: its log index may be wrong, so it never equals the chain's key. */
export const namedTransferKey = (network: string, txHash: string, logIndex: number): string =>
  `${transactionKey(network, txHash)}named ${logIndex}`

/** The common prefix of the keys of an on-chain transaction's transfers. */
export const transactionKey = (network: string, txHash: string): string =>
  `${normalNetwork(network)} ${normalHash(network, txHash)} `
