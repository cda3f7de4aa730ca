import type { SignedTransaction } from '@bursar/contracts/signing'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { hotPlace, type KeyPlace, placeOf } from '../keys/key-place'
import { familyOf } from '../networks/families'
import type { OrderRow } from '../orders/orders'
import type { Signature } from '../orders/signatures'
import { hotAddress } from '../wallets/deployment-holdings'
import { walletAt } from '../wallets/wallets'
import { readEvmTransaction } from './evm-transaction'
import {
  signedSimulated,
  simulatedChainHash,
  simulatedHash,
  simulatedMessage,
  simulatedNonce,
  simulatedProblem,
} from './simulated-transaction'
import { sealSolanaTransaction } from './solana-message'
import { readSolanaTransaction } from './solana-transaction'
import { type Takes, takesOf } from './takes'

/** A transaction that matches its order, and whose keys are known. Its signature is not issued until it is stored. */
export interface Draft {
  signed(): SignedTransaction
  signature(): Signature
  /** For an execution. */
  takes(): Takes
}

export const refused = (why: string) => fail('UNPROCESSABLE', { message: `The transaction is not signed: ${why}` })

/** The key place of an address of a network. */
export type PlaceAt = (network: string, address: string) => Promise<KeyPlace>

/** Reads a transaction and finds its keys. 422 for one that is not the order's. */
export async function readDraft(deps: WalletDeps, order: OrderRow, unsigned: string, placeAt: PlaceAt): Promise<Draft> {
  const payer = await placeAt(order.network, order.payer ?? '')
  if (order.chain?.kind === 'evm') return await readEvm(deps, order, unsigned, payer)
  if (order.chain?.kind === 'solana') return await readSolana(deps, order, unsigned, placeAt)
  return readSimulated(deps, order, unsigned, payer)
}

async function readEvm(deps: WalletDeps, order: OrderRow, unsigned: string, payer: KeyPlace): Promise<Draft> {
  const read = await readEvmTransaction(unsigned, order, deps.config.mostEvmFee)
  if ('problem' in read) throw refused(read.problem)
  const signed = once(() => read.sign(deps.keys.signHash(payer, read.hash)))
  const { nonce } = read
  return {
    signed,
    signature: () => ({ ...placeOnChain(order), nonce, blockhash: null, txHash: signed().txHash }),
    takes: () => takesOf(order, read.mostFee),
  }
}

async function readSolana(deps: WalletDeps, order: OrderRow, unsigned: string, placeAt: PlaceAt): Promise<Draft> {
  const { keys, config } = deps
  const read = await readSolanaTransaction(unsigned, order, config.mostSolanaFee)
  if ('problem' in read) throw refused(read.problem)
  const { message, blockhash } = read
  const places = await Promise.all(read.signers.map((each) => placeAt(order.network, each)))
  const signed = once(() => {
    const signatures = places.map((place) => keys.signMessage(place, message))
    const txHash = base58.encode(signatures[0] ?? new Uint8Array())
    return { signed: sealSolanaTransaction(message, signatures), txHash }
  })
  return {
    signed,
    signature: () => ({ ...placeOnChain(order), nonce: null, blockhash, txHash: signed().txHash }),
    takes: () => takesOf(order, 0n),
  }
}

function readSimulated({ keys }: WalletDeps, order: OrderRow, unsigned: string, payer: KeyPlace): Draft {
  const problem = simulatedProblem(unsigned, order)
  if (problem !== null) throw refused(problem)
  const isSolana = familyOf(order.network) === 'solana'
  const nonce = simulatedNonce(unsigned)
  const txHash = simulatedChainHash(order.network, unsigned)
  return {
    signed: once(() => (isSolana ? signSolanaLike(keys, payer, unsigned) : signEvmLike(keys, payer, unsigned))),
    signature: () => ({ ...placeOnChain(order), nonce, blockhash: null, txHash }),
    // Simulated networks have no fees.
    takes: () => takesOf(order, 0n),
  }
}

function signSolanaLike(keys: WalletDeps['keys'], payer: KeyPlace, unsigned: string): SignedTransaction {
  const signature = keys.signMessage(payer, simulatedMessage(unsigned))
  return { signed: signedSimulated(unsigned, signature), txHash: base58.encode(signature) }
}

function signEvmLike(keys: WalletDeps['keys'], payer: KeyPlace, unsigned: string): SignedTransaction {
  const signed = signedSimulated(unsigned, keys.signHash(payer, simulatedHash(unsigned)))
  return { signed, txHash: `0x${Buffer.from(keccak_256(Buffer.from(signed))).toString('hex')}` }
}

const placeOnChain = ({ network, payer }: OrderRow) => ({ network, sender: payer ?? '' })

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Reads the place of each address once, for one call: many orders have the same payer. */
export function placesOf(deps: WalletDeps): PlaceAt {
  const known = new Map<string, Promise<KeyPlace>>()
  return (network, address) =>
    known.getOrInsertComputed(`${network} ${address}`, () => readPlace(deps, network, address))
}

/** 422 for an address that is not of this deployment, or of another seed. */
async function readPlace({ store, keys }: WalletDeps, network: string, address: string): Promise<KeyPlace> {
  if (address === hotAddress(keys, network)) return hotPlace
  const wallet = await walletAt(store.read, network, address)
  const place = wallet && placeOf(wallet.walletAccountId)
  if (place && keys.addressOf(familyOf(network), place) === address) return place
  throw refused(`${address} is not an address of this deployment`)
}
