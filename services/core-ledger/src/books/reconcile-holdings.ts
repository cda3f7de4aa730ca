import { getNetworks } from '@bursar/contracts/blockchain'
import { getDeploymentHoldings } from '@bursar/contracts/wallet'
import type { Client } from '@bursar/http'
import { normalNetwork } from '../networks/networks'
import { chainKey, type Owed, owedOnChains } from './owed'
import type { Sides } from './reconcile-orders'

/** What must be on a chain of an asset, and what is. */
export interface HoldingsLine extends Owed {
  /** Of all addresses of the deployment together; null when the network is not known to the blockchain service. */
  held: bigint | null
  /** A chain of the blockchain service's own. */
  isSimulated: boolean
}

/**
 * What the deployment's addresses hold on each network, beside what they must hold at least. The ledger is read before
 * and after, for it goes on; a difference that is none goes away when it is read again. Rejects with CallError when the
 * wallet or the blockchain service cannot be asked.
 */
export async function reconcileHoldings({ db, client }: Sides): Promise<HoldingsLine[]> {
  const before = await owedOnChains(db)
  const networks = new Map((await client.call(getNetworks)).map((network) => [normalNetwork(network.name), network]))
  const held = new Map<string, bigint>()
  for (const network of new Set([...before.values()].map((owed) => normalNetwork(owed.network)))) {
    const known = networks.get(network)
    if (known) await addHoldings(client, known.name, held)
  }
  const after = await owedOnChains(db)
  return [...before].map(([key, owed]) => {
    const known = networks.get(normalNetwork(owed.network))
    // Of what was owed before and after, the less.
    const change = (after.get(key)?.amount ?? owed.amount) - owed.amount
    return {
      ...owed,
      amount: owed.amount + (change < 0n ? change : 0n),
      held: known ? (held.get(key) ?? 0n) : null,
      isSimulated: known?.kind === 'simulated',
    }
  })
}

/** True when less is there than must be. */
export const isShort = ({ held, amount }: HoldingsLine): boolean => held !== null && held < amount

async function addHoldings(client: Client, network: string, held: Map<string, bigint>): Promise<void> {
  const addresses = new Set<string>()
  for (let after: string | null = ''; after !== null; ) {
    const page: typeof getDeploymentHoldings.answer.static = await client.call(getDeploymentHoldings, {
      params: { network },
      query: after === '' ? {} : { after },
      timeoutMs: 30_000,
    })
    for (const { address, holdings } of page.items) {
      // Accounts may share an address.
      if (addresses.has(address)) continue
      addresses.add(address)
      for (const { contractAddress, amount } of holdings) {
        const key = chainKey(network, contractAddress)
        held.set(key, (held.get(key) ?? 0n) + BigInt(amount))
      }
    }
    after = page.next
  }
}
