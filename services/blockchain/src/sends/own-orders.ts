import { comparableAddress } from '@bursar/contracts/address'
import { mostInBatch } from '@bursar/contracts/batch'
import { getSignedOrders, type SignedOrder } from '@bursar/contracts/wallet'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import type { ChainTransfer } from '../networks/network'
import type { WatchedRow } from '../watching/watched'
import { findSendByHash } from './sends'

// After a restore this service does not know all of its sends. The wallet service knows what it has signed.

/** The orders of transactions that are no sends here, by their hashes. */
export type OwnOrders = ReadonlyMap<string, SignedOrder>

/**
 * The orders of what moves at portfolios by transactions that are not known here; in a database that was set back, of all
 * that leaves an address of this deployment. Rejects while the wallet service cannot say: nothing is told of them before.
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

/** What transactions were signed for, by their hashes. Rejects while the wallet service cannot say it of all. */
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
