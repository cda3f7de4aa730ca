import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { comparableAddress } from '@bursar/contracts/address'
import { base58 } from '@scure/base'
import type { OrderRow } from '../orders/orders'

const prefix = 'bursar simulated transaction\n'

/** What is wrong with a transaction for a simulated chain; null if it matches its order. */
export function simulatedProblem(unsigned: string, order: OrderRow): string | null {
  const said = parse(unsigned)
  if (!said) return 'it is no JSON object'
  const { id, network, payer, destination, contractAddress, amount, transactionData } = order
  const isSame = (one: unknown, other: string | null) =>
    one === other || (typeof one === 'string' && other !== null && comparableAddress(one) === comparableAddress(other))
  if (said.orderId !== id) return 'it names another order'
  if (said.network !== network) return `it is for ${said.network}, not ${network}`
  if (!isSame(said.from, payer)) return `it comes from ${said.from}, not ${payer}`
  if (!isSame(said.to, destination)) return `it goes to ${said.to}, not ${destination}`
  if (!isSame(said.contractAddress ?? null, contractAddress)) return 'it moves another token'
  if (said.amount !== amount.toString()) return `its amount is ${said.amount}, not ${amount}`
  const isData = said.transactionData === undefined || isDeepStrictEqual(said.transactionData, transactionData)
  return isData ? null : 'its data is not that of the order'
}

/** The bytes that an ed25519 key signs: never a valid transaction on a real chain. */
export const simulatedMessage = (unsigned: string): Uint8Array => Buffer.from(prefix + unsigned)
/** The same for a secp256k1 key. */
export const simulatedHash = (unsigned: string): Uint8Array =>
  createHash('sha256').update(simulatedMessage(unsigned)).digest()
/** The transaction with its signature. */
export const signedSimulated = (unsigned: string, signature: Uint8Array): string =>
  JSON.stringify({ ...parse(unsigned), signature: Buffer.from(signature).toString('hex') })

/** Its nonce; null if it has none. */
export function simulatedNonce(unsigned: string): number | null {
  const nonce = parse(unsigned)?.nonce
  return Number.isSafeInteger(nonce) && Number(nonce) >= 0 ? Number(nonce) : null
}

/**
 * Its hash on a simulated chain: the hash of the transaction without its signature (the blockchain service's forms.ts),
 * in Solana's form on the network of that name, in EVM's on all others.
 */
export const simulatedChainHash = (network: string, unsigned: string): string =>
  network === 'solana'
    ? base58.encode(createHash('sha512').update(unsigned).digest())
    : `0x${createHash('sha256').update(unsigned).digest('hex')}`

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
