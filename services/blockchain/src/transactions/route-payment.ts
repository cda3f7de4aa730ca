import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import type { Chain } from '../networks/network'
import { readByCode } from '../tokens/tokens'
import type { TokenRow } from '../tokens/tokens.table'

/** Where a payment goes: a network that has the currency, and an address there. */
export interface PaymentRoute {
  chain: Chain
  token: TokenRow
  destinationAddress: string
}

/**
 * Finds the network of a payment: the one that is named, else the first (as the networks are listed) that has the
 * currency and takes the destination. Fails with 400 when there is none.
 *
 * @param destinationOn gives the destination on a network, null where it has none there.
 */
export async function routePayment(
  { networks, store }: BlockchainDeps,
  currency: string,
  only: string | undefined,
  destinationOn: (chain: Chain) => string | null,
): Promise<PaymentRoute> {
  await networks.ready()
  const tokens = await readByCode(store.read, currency)
  const names = tokens.map(({ network }) => network)
  const order = networks.named.map(({ name }) => name)
  const candidates =
    only === undefined ? [...order, ...names.filter((name) => !order.includes(name))] : [only.toLowerCase()]
  const usable = candidates.filter((name) => names.includes(name) && networks.isUsable(name))
  if (usable.length === 0) {
    const where = only === undefined ? 'on any network here' : `on ${only}`
    throw refused('currency', `currency is not known ${where}`)
  }
  for (const name of usable) {
    const chain = await networks.open(name)
    const destinationAddress = destinationOn(chain)
    const token = tokens.find(({ network }) => network === name)
    if (destinationAddress !== null && token) return { chain, token, destinationAddress }
  }
  throw refused('destinationAddress', `destinationAddress is not an address of ${usable.join(', ')}`)
}

const refused = (field: string, message: string) => fail('INVALID_REQUEST', { message, details: [{ field, message }] })
