import { comparableAddress } from '@bursar/contracts/address'
import { mostInBatch } from '@bursar/contracts/batch'
import { getSignedOrders, type SignedOrder } from '@bursar/contracts/wallet'
import type { Tx } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { recordFee } from '../movements/movements'
import type { Attempt, Chain, ChainTransfer, Fee } from '../networks/network'
import { findSendByHash } from '../sends/sends'
import { findWatched, type WatchedRow } from '../transfers/watched'

// After a restore this service does not know all of its sends. The wallet service knows what it has signed.

/** The orders of transactions that are no sends here, by their hashes. */
export type OwnOrders = ReadonlyMap<string, SignedOrder>

/**
 * The orders of what moves at portfolios by transactions that are not known here. Rejects while the wallet service cannot
 * say: nothing is told of them before.
 */
export async function ownOrders(
  { store, client }: BlockchainDeps,
  network: string,
  transfers: readonly ChainTransfer[],
  watched: ReadonlyMap<string, WatchedRow>,
): Promise<OwnOrders> {
  const isPortfolios = (address: string) => watched.get(comparableAddress(address))?.isPortfolio === true
  const hashes = new Set<string>()
  for (const { txHash, from, to } of transfers) {
    if (!hashes.has(txHash) && (isPortfolios(from) || isPortfolios(to))) hashes.add(txHash)
  }
  const unknown: string[] = []
  for (const txHash of hashes) if (!(await findSendByHash(store.read, network, txHash))) unknown.push(txHash)
  const found = new Map<string, SignedOrder>()
  for (let at = 0; at < unknown.length; at += mostInBatch) {
    const some = unknown.slice(at, at + mostInBatch)
    const items = some.map((txHash) => ({ network, txHash }))
    const answers = (await client.call(getSignedOrders, { body: { items } })).items
    for (const [i, txHash] of some.entries()) {
      const answer = answers[i]
      if (!answer) throw fail('UPSTREAM_ERROR', { message: `The wallet service does not say whose ${txHash} is` })
      if (answer.order) found.set(txHash, answer.order)
    }
  }
  return found
}

/** What transactions that are no attempts here have cost, by their hashes; of those that are final. */
export async function finalFees(chain: Chain, hashes: readonly string[]): Promise<Map<string, Fee>> {
  const fees = new Map<string, Fee>()
  if (hashes.length === 0) return fees
  const unknown = { unsigned: '', signed: '', signers: [], nonce: null, expiresAt: null, createdAt: new Date(0) }
  const outcomes = await chain.sending.outcomes(hashes.map((txHash): Attempt => ({ ...unknown, txHash })))
  for (const [i, txHash] of hashes.entries()) {
    const outcome = outcomes[i]
    if ((outcome?.is === 'confirmed' || outcome?.is === 'reverted') && outcome.fee) fees.set(txHash, outcome.fee)
  }
  return fees
}

/** What a final transaction has cost whoever's address. */
export async function noteFee(
  tx: Tx,
  { settings }: Chain,
  { txHash, orderId, fee: { payer, amount } }: { txHash: string; orderId: string | null; fee: Fee },
  now: Date,
): Promise<void> {
  const { name: network, nativeDecimals: decimals } = settings
  const accountId = (await findWatched(tx, network, comparableAddress(payer)))?.accountId ?? null
  await recordFee(tx, { network, txHash, accountId, address: payer, amount, decimals, orderId }, now)
}
