import type { Static } from '@bursar/contracts/schema'
import { formatAmount } from '@bursar/money'
import type { Db } from '@bursar/store'
import { fail } from '../errors'
import { tokenKey } from '../networks/comparable'
import type { Chain } from '../networks/network'
import type { Networks } from '../networks/networks'
import { networksHolding } from '../networks/simulated/blocks'
import { readTokens } from '../tokens/tokens'
import type { AddressBalance, BalanceQuery } from './addresses.model'
import { readBalanceFilter } from './balance-filter'

type Balance = Static<typeof AddressBalance>

/**
 * The balances of an address on each network with its form. Fails (400) when there is none, and when any of the
 * networks cannot be reached: partial balances would look complete.
 */
export async function readBalances(
  db: Db,
  networks: Networks,
  address: string,
  query: BalanceQuery,
): Promise<Balance[]> {
  const filter = readBalanceFilter(query['filter[currency]'], query['filter[amount]'])
  const chains = await chainsOf(db, networks, address, query.network)
  const balances = await Promise.all(chains.map((chain) => balancesOn(db, chain, address)))
  return balances
    .flat()
    .filter(
      ({ currency, contractAddress, amount }) =>
        filter.takesCurrency(currency, contractAddress) && filter.takesAmount(amount),
    )
}

async function balancesOn(db: Db, chain: Chain, text: string): Promise<Balance[]> {
  const { name: network, kind } = chain.settings
  const address = chain.address(text) ?? text
  const tokens = await readTokens(db, network)
  const codes = new Map(tokens.map(({ key, code }) => [key, code]))
  const holdings = await chain.holdings(address, tokens)
  return holdings.map(({ contractAddress, amount, decimals }) => ({
    currency: codes.get(tokenKey(contractAddress)) ?? contractAddress ?? '',
    amount: formatAmount(amount, decimals),
    address,
    network,
    contractAddress,
    simulated: kind === 'simulated',
  }))
}

async function chainsOf(db: Db, networks: Networks, address: string, only: string | undefined): Promise<Chain[]> {
  const names = only === undefined ? [...networks.usable(), ...(await networksHolding(db, address))] : [only]
  const chains = await Promise.all([...new Set(names)].map((name) => networks.open(name)))
  const own = chains.filter((chain) => chain.address(address) !== null)
  if (own.length > 0) return own
  const where = only === undefined ? 'any network here' : only
  throw fail('INVALID_REQUEST', { message: `address is not an address of ${where}` })
}
