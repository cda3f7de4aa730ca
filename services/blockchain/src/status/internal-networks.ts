import { comparableAddress } from '@bursar/contracts/address'
import type { getHoldings, getTransactionParties, Network } from '@bursar/contracts/blockchain'
import type { AnswerOf } from '@bursar/contracts/call'
import type { Db } from '@bursar/store'
import { fail } from '../errors'
import { requireAddress, tokenKey } from '../networks/comparable'
import type { HeldToken, NetworkSettings } from '../networks/network'
import type { Networks } from '../networks/networks'
import { simulatedHeads } from '../networks/simulated/heads'
import { readTokens } from '../tokens/tokens'
import { unknownTokensAt } from '../transfers/unknown-tokens'

/** The networks that can be used: the named ones, and the simulated ones with blocks. */
export async function listNetworks(db: Db, networks: Networks): Promise<Network[]> {
  const begun = (await simulatedHeads(db)).map(({ network }) => networks.find(network))
  const all = [...networks.named, ...begun.filter((network) => network !== null)]
  const usable = all.filter(({ name }) => networks.isUsable(name))
  return [...new Map(usable.map((network) => [network.name, toNetwork(network)])).values()]
}

const toNetwork = ({ name, kind, chainId, nativeCode, nativeDecimals }: NetworkSettings): Network => ({
  name,
  kind,
  chainId,
  nativeCode,
  nativeDecimals,
})

type Holdings = AnswerOf<typeof getHoldings>

/**
 * The balances of an address in registered tokens, and in unregistered ones that were seen to arrive at
 * it. Fails for an address of another network.
 */
export const holdingsOf = (db: Db, networks: Networks, network: string, text: string): Promise<Holdings> =>
  holdingsOfMany(db, networks, network, [text])(text)

/** The same, for any of these addresses: what may be there is read once for all of them. */
export function holdingsOfMany(
  db: Db,
  networks: Networks,
  network: string,
  texts: readonly string[],
): (text: string) => Promise<Holdings> {
  const sought = readSought(db, networks, network, texts)
  return async (text) => {
    const { chain, known, unknown } = await sought
    const address = requireAddress(chain, 'address', text)
    const others = unknown.get(comparableAddress(address)) ?? []
    const held = [...known, ...others.map((contractAddress) => ({ contractAddress, decimals: null }))]
    const holdings = await chain.holdings(address, held)
    return holdings.map(({ amount, payable, ...holding }) => ({
      ...holding,
      amount: amount.toString(),
      ...(payable === undefined ? {} : { payable: payable.toString() }),
    }))
  }
}

/** The registered tokens of a network, and the unregistered ones that were seen to arrive at addresses. */
async function readSought(db: Db, networks: Networks, network: string, texts: readonly string[]) {
  const chain = await networks.open(network)
  const addresses = texts.flatMap((text) => chain.address(text) ?? [])
  const known: HeldToken[] = await readTokens(db, chain.settings.name)
  const keys = new Set(known.map((token) => tokenKey(token.contractAddress)))
  const seen = await unknownTokensAt(db, chain.settings.name, addresses)
  const isUnknown = (contractAddress: string) => !keys.has(tokenKey(contractAddress))
  return { chain, known, unknown: new Map([...seen].map(([key, contracts]) => [key, contracts.filter(isUnknown)])) }
}

/** Fails (404) when the chain does not know the transaction. */
export async function partiesOf(
  networks: Networks,
  network: string,
  text: string,
): Promise<AnswerOf<typeof getTransactionParties>> {
  const chain = await networks.open(network)
  const txHash = chain.hash(text)
  const found = txHash === null ? null : await chain.find(txHash)
  if (!found) throw fail('NOT_FOUND')
  const { transfers } = found
  return {
    network: chain.settings.name,
    txHash: found.txHash,
    from: [...new Set([...found.from, ...transfers.map(({ from }) => from)])],
    to: [...new Set([...found.to, ...transfers.map(({ to }) => to)])],
  }
}
