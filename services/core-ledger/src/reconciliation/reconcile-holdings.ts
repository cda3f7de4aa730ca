import { getNetworks } from '@bursar/contracts/blockchain'
import { getDeploymentHoldings } from '@bursar/contracts/wallet'
import type { Client } from '@bursar/http'
import type { Db } from '@bursar/store'
import { listAssets } from '../assets/assets'
import { normalNetwork } from '../networks/networks'
import { knownCauses } from './causes'
import {
  type Coin,
  chainKey,
  type Owed,
  owedOnChains,
  owedToPortfolios,
  type PortfolioOwed,
  portfolioIds,
} from './owed'
import type { Sides } from './reconcile-orders'

/** The owed and the held amount of an asset on its chain, at addresses of no portfolio. */
export interface HoldingsLine extends Owed {
  /** The total of these addresses; null when the blockchain service does not know the network. */
  held: bigint | null
  /** The portfolios' part: by the books, and at their addresses. */
  portfolios: { owed: bigint; held: bigint }
  /** Whether the blockchain service simulates the chain. */
  isSimulated: boolean
  /** Known causes of the difference, as sentences. */
  causes: string[]
}

/** A portfolio's account and asset: what its own addresses must hold, and what they hold. */
export interface PortfolioLine extends Coin {
  accountId: string
  assetId: string
  amount: bigint
  /** Null when the blockchain service does not know the network. */
  held: bigint | null
}

export interface Holdings {
  lines: HoldingsLine[]
  portfolios: PortfolioLine[]
}

/**
 * Compares what the deployment's addresses hold with the least that they must hold, for every network and asset that is
 * held or owed. The ledger is read before and after, because it changes meanwhile; a false difference disappears in the
 * second read. Rejects with CallError when the wallet or the blockchain service is unavailable.
 */
export async function reconcileHoldings({ ledger, client }: Sides): Promise<Holdings> {
  const { read: db } = ledger
  const before = await ledger.snapshot(owedOf)
  const known = new Map((await client.call(getNetworks)).map((network) => [normalNetwork(network.name), network]))
  const held = await heldOn(
    client,
    [...known.values()].map(({ name }) => name),
    await portfolioIds(db),
  )
  const after = await ledger.snapshot(owedOf)
  const causes = await knownCauses(db)
  const coins = await coinsOf(db, before.owed, held)

  const portfolios = [...before.portfolios].map(([key, of]): PortfolioLine => {
    const { accountId, assetId, network, contractAddress, code, decimals } = of
    const amount = lesser(mustHold(of), mustHold(after.portfolios.get(key) ?? of))
    const isKnown = known.has(normalNetwork(network))
    const found = isKnown ? (held.ofPortfolios.get(key) ?? 0n) : null
    return { accountId, assetId, network, contractAddress, code, decimals, amount, held: found }
  })
  const ofCoin = Map.groupBy(before.portfolios.values(), (of) => chainKey(of.network, of.contractAddress))
  const lines = [...coins].map(([key, coin]): HoldingsLine => {
    const owed = before.owed.get(key) ?? { ...coin, assetIds: [], ...nothing }
    const network = known.get(normalNetwork(coin.network))
    const own = ofCoin.get(key) ?? []
    const atPortfolios = held.atPortfolios.get(key) ?? 0n
    return {
      ...owed,
      amount: lesser(owed.amount, after.owed.get(key)?.amount ?? owed.amount),
      held: network ? (held.all.get(key)?.amount ?? 0n) - atPortfolios : null,
      portfolios: { owed: own.reduce((sum, of) => sum + mustHold(of), 0n), held: atPortfolios },
      isSimulated: network?.kind === 'simulated',
      causes: causes.get(key) ?? [],
    }
  })
  return { lines, portfolios }
}

export const isShort = ({ held, amount }: Pick<HoldingsLine, 'held' | 'amount'>): boolean =>
  held !== null && held < amount

const nothing = { customers: 0n, suspense: 0n, underWay: 0n, feesPaid: 0n, amount: 0n }

const owedOf = async (db: Db) => ({ owed: await owedOnChains(db), portfolios: await owedToPortfolios(db) })

/** The balance less what may have left already. Suspense does not count: its deposits may be taken off the chain. */
const mustHold = ({ balance, underWay }: PortfolioOwed): bigint => balance - underWay

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** Every asset that is owed or held, by chainKey; assets unknown to the ledger are named by their contract. */
async function coinsOf(db: Db, owed: Map<string, Owed>, held: Held): Promise<Map<string, Coin>> {
  const coins = new Map<string, Coin>(owed)
  const named = new Map((await listAssets(db)).map((asset) => [chainKey(asset.network, asset.contractAddress), asset]))
  for (const [key, { network, contractAddress, decimals }] of held.all) {
    const code = named.get(key)?.code ?? contractAddress ?? 'native'
    if (!coins.has(key))
      coins.set(key, { network, contractAddress, code, decimals: named.get(key)?.decimals ?? decimals })
  }
  return coins
}

interface Held {
  /** By chainKey. */
  all: Map<string, { network: string; contractAddress: string | null; decimals: number; amount: bigint }>
  /** Holdings by chainKey; those at portfolios' addresses also by `<account> <chainKey>`. */
  atPortfolios: Map<string, bigint>
  ofPortfolios: Map<string, bigint>
}

async function heldOn(client: Client, networks: readonly string[], portfolios: ReadonlySet<string>): Promise<Held> {
  const held: Held = { all: new Map(), atPortfolios: new Map(), ofPortfolios: new Map() }
  for (const network of networks) await addHoldings(client, network, portfolios, held)
  return held
}

async function addHoldings(
  client: Client,
  network: string,
  portfolios: ReadonlySet<string>,
  held: Held,
): Promise<void> {
  const addresses = new Set<string>()
  for (let after: string | null = ''; after !== null; ) {
    const page: typeof getDeploymentHoldings.answer.static = await client.call(getDeploymentHoldings, {
      params: { network },
      query: after === '' ? {} : { after },
      timeoutMs: 30_000,
    })
    for (const { address, accountId, holdings } of page.items) {
      // Accounts may share an address.
      if (addresses.has(address)) continue
      addresses.add(address)
      for (const { contractAddress, amount, decimals } of holdings) {
        const key = chainKey(network, contractAddress)
        const known = held.all.get(key) ?? { network: normalNetwork(network), contractAddress, decimals, amount: 0n }
        held.all.set(key, { ...known, amount: known.amount + BigInt(amount) })
        if (accountId === null || !portfolios.has(accountId)) continue
        const place = `${accountId} ${key}`
        held.atPortfolios.set(key, (held.atPortfolios.get(key) ?? 0n) + BigInt(amount))
        held.ofPortfolios.set(place, (held.ofPortfolios.get(place) ?? 0n) + BigInt(amount))
      }
    }
    after = page.next
  }
}
