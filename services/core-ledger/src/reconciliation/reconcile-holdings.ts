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

/** What must be on a chain of an asset, and what is, at addresses that are no portfolio's. */
export interface HoldingsLine extends Owed {
  /** Of these addresses together; null when the network is not known to the blockchain service. */
  held: bigint | null
  /** What portfolios have of it: by the books, and at their addresses. */
  portfolios: { owed: bigint; held: bigint }
  /** A chain of the blockchain service's own. */
  isSimulated: boolean
  /** What is known of why they differ, in sentences. */
  causes: string[]
}

/** A portfolio's account and asset: what its own addresses must hold, and what they do. */
export interface PortfolioLine extends Coin {
  accountId: string
  assetId: string
  amount: bigint
  /** Null when the network is not known to the blockchain service. */
  held: bigint | null
}

export interface Holdings {
  lines: HoldingsLine[]
  portfolios: PortfolioLine[]
}

/**
 * What the deployment's addresses hold on each network, every asset that is there or owed, beside what they must hold at
 * least. The ledger is read before and after, for it goes on; a difference that is none goes away when it is read again.
 * Rejects with CallError when the wallet or the blockchain service cannot be asked.
 */
export async function reconcileHoldings({ db, client }: Sides): Promise<Holdings> {
  const before = await read(db)
  const known = new Map((await client.call(getNetworks)).map((network) => [normalNetwork(network.name), network]))
  const held = await heldOn(
    client,
    [...known.values()].map(({ name }) => name),
    await portfolioIds(db),
  )
  const after = await read(db)
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

/** True when less is there than must be. */
export const isShort = ({ held, amount }: Pick<HoldingsLine, 'held' | 'amount'>): boolean =>
  held !== null && held < amount

const nothing = { customers: 0n, suspense: 0n, underWay: 0n, feesPaid: 0n, amount: 0n }

const read = async (db: Db) => ({ owed: await owedOnChains(db), portfolios: await owedToPortfolios(db) })

/** What has not left yet; deposits that are in suspense may be taken back. */
const mustHold = ({ balance, underWay }: PortfolioOwed): bigint => balance - underWay

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** Every asset that is owed or held, by chainKey; one that the ledger does not know goes by its contract. */
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
  /** By chainKey, and by `<account> <chainKey>`: what of it is at portfolios' addresses. */
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
