import type { SignatureFate, SignedBefore } from '@bursar/contracts/blockchain'
import { AppError, isCallError } from '@bursar/http'
import type { BlockchainDeps } from '../deps'
import { finalCosts, noteFee } from '../movements/untold-fees'
import type { Chain } from '../networks/network'
import { findAttempt } from '../sends/attempts'
import { signedOrders } from '../sends/own-orders'

type FatesDeps = Pick<BlockchainDeps, 'store' | 'networks' | 'client' | 'clock'>

/**
 * The fates of signed transactions, one each; null when its network is unreachable, or has no such hashes
 * or addresses. The chain decides. Of the local records only the expiry of an attempt is used, and, for simulated
 * networks, that it waits for its block.
 */
export async function fatesOf(deps: FatesDeps, items: readonly SignedBefore[]): Promise<(SignatureFate | null)[]> {
  const byNetwork = Map.groupBy(items, ({ network }) => network)
  const found = new Map<SignedBefore, SignatureFate>()
  await Promise.all(
    [...byNetwork].map(async ([network, some]) => {
      const fates = await askNetwork(deps, network, some)
      for (const [i, item] of some.entries()) if (fates[i]) found.set(item, fates[i])
    }),
  )
  return items.map((item) => found.get(item) ?? null)
}

async function askNetwork(
  deps: FatesDeps,
  network: string,
  items: readonly SignedBefore[],
): Promise<(SignatureFate | null)[]> {
  try {
    const chain = await deps.networks.open(network)
    const isAddress = ({ sender }: SignedBefore) => chain.address(sender) !== null
    const known = items.map((item) => ({ item, txHash: isAddress(item) ? chain.hash(item.txHash) : null }))
    const askable = known.flatMap(({ item, txHash }) => (txHash === null ? [] : [{ ...item, txHash }]))
    const fates = await ask(deps, chain, askable)
    const places = new Map(askable.map(({ txHash }, i) => [txHash, fates[i]]))
    return known.map(({ item, txHash }) => {
      const fate = txHash === null ? undefined : places.get(txHash)
      return fate ? { ...fate, txHash: item.txHash } : null
    })
  } catch (error) {
    if (error instanceof AppError || isCallError(error)) return items.map(() => null)
    throw error
  }
}

/** The attempts first: one that is included in between is then found. */
async function ask(deps: FatesDeps, chain: Chain, items: readonly SignedBefore[]) {
  const { name } = chain.settings
  const lost: string[] = []
  const signed = await Promise.all(
    items.map(async (item) => {
      const attempt = await findAttempt(deps.store.read, name, item.txHash)
      if (!attempt) lost.push(item.txHash)
      return { ...item, isHandedOver: attempt?.isOpen ?? false, expiresAt: attempt?.expiresAt ?? null }
    }),
  )
  const fates = await chain.sending.fates(signed)
  // Its attempt was lost by a restore, so its fee is published here.
  const paid = new Set(
    fates.flatMap(({ fate }, i) => (fate === 'final' || fate === 'reverted' ? (items[i]?.txHash ?? []) : [])),
  )
  await tellLost(
    deps,
    chain,
    lost.filter((txHash) => paid.has(txHash)),
  )
  return fates
}

async function tellLost({ store, client, clock }: FatesDeps, chain: Chain, hashes: readonly string[]): Promise<void> {
  const costs = await finalCosts(chain, hashes)
  const fees = [...costs].flatMap(([txHash, fee]) => (fee ? [{ txHash, fee }] : []))
  if (fees.length === 0) return
  const orders = await signedOrders(client, chain.settings.name, [...costs.keys()])
  await store.commit(async (tx) => {
    for (const { txHash, fee } of fees) {
      await noteFee(tx, chain, { txHash, orderId: orders.get(txHash)?.id ?? null, fee }, clock())
    }
  })
}
