import type { WalletDeps } from '../deps'
import { arrivesAt } from '../token-accounts/associated-address'
import { changeOrders, findOrders, isEnded, type OrderChange, type OrderRow } from './orders'
import { addClaim, candidates, canPay, loadsOf, type Payer, payerAt } from './payers'

/**
 * Chooses the payers of orders of one account and asset, permanently; returns the orders that have a payer now, by id.
 * An address's balance is read once for all of them, and compared with all its open orders in one commit.
 */
export async function choosePayers(deps: WalletDeps, batch: readonly OrderRow[]): Promise<Map<string, OrderRow>> {
  const chosen = new Map<string, OrderRow>()
  const [first] = batch
  if (!first) return chosen
  const network = await deps.networks.byName(first.network)
  // A network not listed by the blockchain service is simulated, or refused when the order is sent.
  const { kind, chainId } = network ?? { kind: 'simulated' as const, chainId: null }
  const chain = { kind, chainId }
  for await (const address of candidates(deps, first)) {
    const left = await payableBy(
      address,
      batch.filter(({ id }) => !chosen.has(id)),
    )
    if (left.length === 0) continue
    const payer = await payerAt(deps, first, kind, address)
    for (const order of await assign(deps, left, payer, chain)) chosen.set(order.id, order)
    if (chosen.size === batch.length) break
  }
  return chosen
}

/** An address does not pay itself: nothing would move. */
async function payableBy(address: string, batch: readonly OrderRow[]): Promise<OrderRow[]> {
  const isToItself = await Promise.all(batch.map((order) => arrivesAt(order.network, address, order)))
  return batch.filter((_, i) => !isToItself[i])
}

/** Gives an address the orders that it can pay; returns those of the batch that need no other payer. */
const assign = (
  { store, clock }: WalletDeps,
  batch: readonly OrderRow[],
  payer: Payer,
  chain: NonNullable<OrderRow['chain']>,
): Promise<OrderRow[]> =>
  store.commit(async (tx) => {
    const settled: OrderRow[] = []
    const changes: OrderChange[] = []
    const loads = await loadsOf(tx, batch[0]?.network ?? '', payer)
    const orders = await findOrders(
      tx,
      batch.map(({ id }) => id),
    )
    const { address, feePayer } = payer
    for (const { id } of batch) {
      const current = orders.get(id)
      if (!current || isEnded(current)) continue
      if (current.payer !== null) settled.push(current)
      else if (canPay(current, payer, loads, chain.kind)) {
        changes.push({ before: current, change: { payer: address, feePayer, chain, updatedAt: clock() } })
        addClaim(loads.payer, current)
      }
    }
    return [...settled, ...(await changeOrders(tx, changes))]
  })
