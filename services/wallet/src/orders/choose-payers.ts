import { batched } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { arrivesAt } from '../token-accounts/associated-address'
import { changeOrders, findOrders, isEnded, type OrderChange, type OrderRow } from './orders'
import { addClaim, candidates, canPay, loadsOf, openOrdersOnce, type Payer, payerAt } from './payers'

/**
 * Chooses the payers of orders of one account and asset, permanently; returns the orders that have a payer now, by id.
 * An address's balance is read once for all of them, and compared with all its open orders in one commit, which those of
 * other accounts and assets share.
 */
export async function choosePayers(
  deps: WalletDeps,
  batch: readonly OrderRow[],
  openAt = openOrdersOnce(deps.store.read),
): Promise<Map<string, OrderRow>> {
  const chosen = new Map<string, OrderRow>()
  const [first] = batch
  if (!first) return chosen
  await deps.networks.renew()
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
    const payer = await payerAt(deps, first, { kind, openAt }, address)
    const paid = await assign(deps.store, { batch: left, payer, chain, now: deps.clock() })
    for (const order of paid) chosen.set(order.id, order)
    if (chosen.size === batch.length) break
  }
  return chosen
}

/** An address does not pay itself: nothing would move. */
async function payableBy(address: string, batch: readonly OrderRow[]): Promise<OrderRow[]> {
  const isToItself = await Promise.all(batch.map((order) => arrivesAt(order.network, address, order)))
  return batch.filter((_, i) => !isToItself[i])
}

/** What an address may pay. */
interface Choice {
  batch: readonly OrderRow[]
  payer: Payer
  chain: NonNullable<OrderRow['chain']>
  now: Date
}

/** Gives addresses the orders that they can pay; returns for each choice those of its batch that need no other payer. */
const assign = batched(
  ({ batch, payer }: Choice) => `${batch[0]?.network} ${payer.address}`,
  async (tx, choices) => {
    const orders = await findOrders(
      tx,
      choices.flatMap(({ batch }) => batch.map(({ id }) => id)),
    )
    const changes: OrderChange[] = []
    for (const [network, some] of Map.groupBy(choices, ({ batch }) => batch[0]?.network ?? '')) {
      const loadsAt = await loadsOf(
        tx,
        network,
        some.map(({ payer }) => payer),
      )
      for (const { batch, payer, chain, now } of some) {
        const loads = loadsAt(payer)
        for (const { id } of batch) {
          const current = orders.get(id)
          if (!current || isEnded(current) || current.payer !== null || !canPay(current, payer, loads, chain.kind))
            continue
          const change = { payer: payer.address, feePayer: payer.feePayer, chain, updatedAt: now }
          changes.push({ before: current, change })
          orders.set(id, { ...current, ...change })
          addClaim(loads, current)
        }
      }
    }
    await changeOrders(tx, changes)
    return choices.map(({ batch }) =>
      batch.flatMap(({ id }) => {
        const order = orders.get(id)
        return order && !isEnded(order) && order.payer !== null ? [order] : []
      }),
    )
  },
)
