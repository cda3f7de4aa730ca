import { comparableAddress } from '@bursar/contracts/address'
import type { Static } from '@bursar/contracts/schema'
import type { SignedTransaction, TransactionToSign } from '@bursar/contracts/signing'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { hotPlace, type KeyPlace, placeOf } from '../keys/key-place'
import { familyOf } from '../networks/families'
import { changeOrder, findOrder, getOrder, isEnded, type OrderRow } from '../orders/orders'
import { isHeld, waitsForOperator } from '../restore/restore-hold'
import { hotAddress } from '../wallets/deployment-holdings'
import { walletAt } from '../wallets/wallets'
import { readEvmTransaction } from './evm-transaction'
import { signedSimulated, simulatedHash, simulatedMessage, simulatedProblem } from './simulated-transaction'
import { sealSolanaTransaction } from './solana-message'
import { readSolanaTransaction } from './solana-transaction'

const refused = (why: string) => fail('UNPROCESSABLE', { message: `The transaction is not signed: ${why}` })

/**
 * Signs a transaction that says the same as its order: recipient, amount and token, and a fee within bounds. 404 for an
 * order that is not known, 422 for everything that is not signed. That it was signed is stored before the signature
 * leaves, in the database and beside it: an order without that mark cannot have been paid. 409 while the order waits for
 * an operator after a restore.
 */
export async function signTransaction(
  deps: WalletDeps,
  { orderId, network, signers, unsigned }: Static<typeof TransactionToSign>,
): Promise<SignedTransaction> {
  const order = await getOrder(deps.store.read, orderId)
  if (await isHeld(deps.store.read, order)) throw fail('CONFLICT', { message: waitsForOperator })
  const problem = orderProblem(order, network, signers)
  if (problem !== null) throw refused(problem)
  const sign = await prepare(deps, order, unsigned)
  await deps.store.commit(async (tx) => {
    const current = await findOrder(tx, orderId)
    if (!current || isEnded(current)) throw refused('its order has ended')
    const now = new Date()
    if (current.signedAt === null) await changeOrder(tx, current, { signedAt: now, updatedAt: now })
  })
  await deps.restoreGuard.noteSigned(orderId)
  return sign()
}

function orderProblem(order: OrderRow, network: string, signers: readonly string[]): string | null {
  if (isEnded(order)) return `its order has ended: ${order.status}`
  if (order.payer === null) return 'its order has no paying address yet'
  if (order.network !== network) return `its order is for ${order.network}, not ${network}`
  const payers = order.feePayer === null ? [order.payer] : [order.feePayer, order.payer]
  const isSame =
    signers.length === payers.length &&
    signers.every((each, i) => comparableAddress(each) === comparableAddress(payers[i] ?? ''))
  return isSame ? null : `its order is signed by ${payers.join(' and ')}`
}

/** Checks the transaction and finds its keys. Nothing is signed before the answer is called. */
async function prepare(deps: WalletDeps, order: OrderRow, unsigned: string): Promise<() => SignedTransaction> {
  const { keys, config } = deps
  const payer = await placeAt(deps, order.network, order.payer ?? '')
  if (order.chain?.kind === 'evm') {
    const read = await readEvmTransaction(unsigned, order, config.mostEvmFee)
    if ('problem' in read) throw refused(read.problem)
    return () => read.sign(keys.signHash(payer, read.hash))
  }
  if (order.chain?.kind === 'solana') {
    const read = await readSolanaTransaction(unsigned, order, config.mostSolanaFee)
    if ('problem' in read) throw refused(read.problem)
    const places = await Promise.all(read.signers.map((each) => placeAt(deps, order.network, each)))
    return () => {
      const signatures = places.map((place) => keys.signMessage(place, read.message))
      return {
        signed: sealSolanaTransaction(read.message, signatures),
        txHash: base58.encode(signatures[0] ?? new Uint8Array()),
      }
    }
  }
  const problem = simulatedProblem(unsigned, order)
  if (problem !== null) throw refused(problem)
  return () => signSimulated(keys, order.network, payer, unsigned)
}

function signSimulated(
  keys: WalletDeps['keys'],
  network: string,
  payer: KeyPlace,
  unsigned: string,
): SignedTransaction {
  if (familyOf(network) === 'solana') {
    const signature = keys.signMessage(payer, simulatedMessage(unsigned))
    return { signed: signedSimulated(unsigned, signature), txHash: base58.encode(signature) }
  }
  const signed = signedSimulated(unsigned, keys.signHash(payer, simulatedHash(unsigned)))
  return { signed, txHash: `0x${Buffer.from(keccak_256(Buffer.from(signed))).toString('hex')}` }
}

/** Where the key of an address is. 422 for an address that is not of this deployment, or of another seed. */
async function placeAt({ store, keys }: WalletDeps, network: string, address: string): Promise<KeyPlace> {
  if (address === hotAddress(keys, network)) return hotPlace
  const wallet = await walletAt(store.read, network, address)
  const place = wallet && placeOf(wallet.walletAccountId)
  if (place && keys.addressOf(familyOf(network), place) === address) return place
  throw refused(`${address} is not an address of this deployment`)
}
