import { comparableAddress } from '@bursar/contracts/address'
import { getHoldings, getManyHoldings } from '@bursar/contracts/blockchain'
import type { AnswerOf } from '@bursar/contracts/call'
import { type Client, gathered } from '@bursar/http'

/** Reads the present balances of an address from the blockchain service. Rejects with CallError. */
export type AskHoldings = (network: string, address: string) => Promise<AnswerOf<typeof getHoldings>>

const calls = 4
/** Bounds the state, because callers may invent networks. */
const mostNetworks = 1000

/** Concurrent requests for one network share a call: a slow network does not delay others. */
export function createHoldings(client: Client): AskHoldings {
  const byNetwork = new Map<string, (address: string) => ReturnType<AskHoldings>>()
  function gathering(network: string) {
    return gathered({
      one: (address: string) => client.call(getHoldings, { params: { network, address } }),
      many: async (items) => (await client.call(getManyHoldings, { params: { network }, body: { items } })).items,
      calls,
    })
  }
  return (network, address) => {
    if (byNetwork.size > mostNetworks) byNetwork.clear()
    return byNetwork.getOrInsertComputed(network, gathering)(address)
  }
}

/** What payments can take of them, by contract, in the smallest unit; null is the native coin. */
export async function holdingsOf(ask: AskHoldings, network: string, address: string) {
  const held = await ask(network, address)
  const byContract = new Map(
    held.map(({ contractAddress, amount, payable = amount }) => [contractKey(contractAddress), BigInt(payable)]),
  )
  return (contractAddress: string | null): bigint => byContract.get(contractKey(contractAddress)) ?? 0n
}

/** A contract as the core ledger writes it: its catalogue may have a word for a native asset, instead of null. */
export const contractOf = (written: string | null): string | null => (written === 'native' ? null : written)

/** A token's comparable form; null is the native coin. */
export const contractKey = (contractAddress: string | null): string | null =>
  contractAddress === null ? null : comparableAddress(contractAddress)
