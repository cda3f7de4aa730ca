import type { KnownToken } from '@bursar/contracts/blockchain'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { releaseUnknown } from '../transfers/transfers'
import { putToken } from './tokens'

/** Makes a token known; its deposits that waited for it are pending. Fails for an address of another network. */
export async function registerToken(
  { networks, store, wakes }: BlockchainDeps,
  input: KnownToken,
): Promise<KnownToken> {
  const chain = await networks.open(input.network)
  const network = chain.settings.name
  const contractAddress = input.contractAddress === null ? null : chain.address(input.contractAddress)
  if (input.contractAddress !== null && contractAddress === null) {
    throw fail('INVALID_REQUEST', { message: `contractAddress is not an address of ${network}` })
  }
  const { code, decimals } = input
  await store.commit(async (tx) => {
    await putToken(tx, network, { contractAddress, code, decimals }, new Date())
    if (contractAddress !== null) await releaseUnknown(tx, network, contractAddress, decimals)
  })
  wakes.wake('transfers', network)
  return { network, contractAddress, code, decimals }
}
