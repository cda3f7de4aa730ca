import { comparableAddress } from '@bursar/contracts/address'
import { getHoldings } from '@bursar/contracts/blockchain'
import type { Client } from '@bursar/http'

/** Asks for what an address holds, in the smallest unit, by contract; null is the native coin. */
export async function holdingsOf(client: Client, network: string, address: string) {
  const held = await client.call(getHoldings, { params: { network, address } })
  const byContract = new Map(held.map((each) => [contractKey(each.contractAddress), BigInt(each.amount)]))
  return (contractAddress: string | null): bigint => byContract.get(contractKey(contractAddress)) ?? 0n
}

/** A token as it is compared; null is the native coin. */
export const contractKey = (contractAddress: string | null): string | null =>
  contractAddress === null ? null : comparableAddress(contractAddress)
