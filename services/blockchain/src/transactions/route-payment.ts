import { registerAssets } from '../assets/follow-assets'
import type { BlockchainDeps } from '../deps'
import { invalid } from '../errors'
import type { Chain } from '../networks/network'
import { readByCode } from '../tokens/tokens'
import type { TokenRow } from '../tokens/tokens.table'

/** The route of a payment: a network with the currency, and an address there. */
export interface PaymentRoute {
  chain: Chain
  token: TokenRow
  destinationAddress: string
}

/**
 * Finds the network of a payment: the named one, else the first (in listing order) that has the
 * currency and accepts the destination. Fails with 400 when there is none.
 *
 * @param destinationOn returns the destination on a network, null if it has none there.
 */
export async function routePayment(
  deps: BlockchainDeps,
  currency: string,
  only: string | undefined,
  destinationOn: (chain: Chain) => string | null,
): Promise<PaymentRoute> {
  const { networks } = deps
  await networks.ready()
  let tokens = await usableTokens(deps, currency, only)
  if (tokens.length === 0) {
    // A new asset of the ledger may not be registered here yet.
    await registerAssets(deps)
    tokens = await usableTokens(deps, currency, only)
  }
  if (tokens.length === 0) {
    const where = only === undefined ? 'on any network here' : `on ${only}`
    throw invalid('currency', `is not known ${where}`)
  }
  for (const token of tokens) {
    const chain = await networks.open(token.network)
    const destinationAddress = destinationOn(chain)
    if (destinationAddress !== null) return { chain, token, destinationAddress }
  }
  const names = tokens.map(({ network }) => network).join(', ')
  throw invalid('destinationAddress', `is not an address of ${names}`)
}

/** The tokens of this code on networks that can be used, in the order of the networks. */
async function usableTokens(
  { networks, store }: BlockchainDeps,
  currency: string,
  only: string | undefined,
): Promise<TokenRow[]> {
  const tokens = await readByCode(store.read, currency)
  const wanted = only === undefined ? null : networks.find(only)?.name
  const order = networks.named.map(({ name }) => name)
  const placeOf = ({ network }: TokenRow) => (order.includes(network) ? order.indexOf(network) : order.length)
  return tokens
    .filter(({ network }) => (wanted === null || network === wanted) && networks.isUsable(network))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
}
