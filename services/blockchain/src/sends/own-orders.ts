import { comparableAddress } from '@bursar/contracts/address'
import { mostInBatch } from '@bursar/contracts/batch'
import { getSignedOrders, type SignedOrder } from '@bursar/contracts/wallet'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import type { ChainTransfer } from '../networks/network'
import type { WatchedRow } from '../watching/watched'
import { findSendByHash } from './sends'

// After a restore this service may have lost sends. The wallet service knows what it has signed.

/** The orders of transactions without sends here, by hash. */
export type OwnOrders = ReadonlyMap<string, SignedOrder>

/**
 * The orders of unknown transactions that move assets at portfolios; in a restored database, of all outgoing movements
 * of this deployment. Rejects while the wallet service is unreachable: they are not published before.
 */
export async function ownOrders(
  { store, client, restored }: BlockchainDeps,
  network: string,
  transfers: readonly ChainTransfer[],
  watched: ReadonlyMap<string, WatchedRow>,
): Promise<OwnOrders> {
  const find = (address: string) => watched.get(comparableAddress(address))
  const hashes = new Set<string>()
  for (const { txHash, from, to } of transfers) {
    const payer = find(from)
    if (payer?.isPortfolio || find(to)?.isPortfolio || (restored.isAny && payer)) hashes.add(txHash)
  }
  const unknown: string[] = []
  for (const txHash of hashes) if (!(await findSendByHash(store.read, network, txHash))) unknown.push(txHash)
  return await signedOrders(client, network, unknown)
}

/** The orders that transactions were signed for, by hash. Rejects unless the wallet service answers for all. */
export async function signedOrders(
  client: BlockchainDeps['client'],
  network: string,
  hashes: readonly string[],
): Promise<OwnOrders> {
  const found = new Map<string, SignedOrder>()
  for (let at = 0; at < hashes.length; at += mostInBatch) {
    const some = hashes.slice(at, at + mostInBatch)
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
