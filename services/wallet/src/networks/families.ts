import { checksummed, evmProblem, solanaProblem } from '../keys/addresses'
import type { KeyFamily } from '../keys/key-tree'

/**
 * Solana's networks go by the first word of their name (`solana-devnet`); all others have keys and addresses of EVM.
 */
export const familyOf = (network: string): KeyFamily => (firstWord(network) === 'solana' ? 'solana' : 'evm')

const evmNetworks = new Set([
  'ethereum',
  'sepolia',
  'holesky',
  'polygon',
  'base',
  'arbitrum',
  'optimism',
  'avalanche',
  'bsc',
])
const visible = /^[\x21-\x7e]{1,128}$/

/** The problem of an address of a network; null for none. Unknown networks accept any visible characters. */
export function addressProblem(network: string, address: string): string | null {
  const word = firstWord(network)
  if (word === 'solana') return solanaProblem(address)
  if (evmNetworks.has(word)) return evmProblem(address)
  return visible.test(address) ? null : 'must be 1 to 128 visible characters without spaces'
}

/** The stored form of an address: EVM addresses with their checksum, whatever their case. */
export const storedForm = (network: string, address: string): string =>
  familyOf(network) === 'evm' && /^0x[0-9a-f]{40}$/i.test(address)
    ? checksummed(address.slice(2).toLowerCase())
    : address

const firstWord = (network: string): string => /^[a-z]+/.exec(network)?.[0] ?? ''
