import { getKnownTransfers, type KnownTransfer } from '@bursar/contracts/blockchain'
import { type Client, ifCallFails } from '@bursar/http'
import { fail } from '../errors'
import type { KnownNetworks } from '../networks/known-networks'
import { normalHash, normalNetwork } from '../networks/networks'

interface Deps {
  readonly client: Client
  readonly networks: KnownNetworks
}

/**
 * The transfers of a transaction that a person reports, as its chain has them. Null where the chain is not asked: in
 * the sandbox, and on networks that are not followed. 503 when it is unavailable.
 */
export async function knownTransfers(
  { client, networks }: Deps,
  named: { network: string; txHash: string },
): Promise<readonly KnownTransfer[] | null> {
  if (!(await networks.isFollowed(named.network))) return null
  const item = { network: normalNetwork(named.network), txHash: normalHash(named.network, named.txHash) }
  const answer = await ifCallFails(client.call(getKnownTransfers, { body: { items: [item] } }), (cause) => {
    throw fail('CHAIN_UNAVAILABLE', { cause })
  })
  const [known] = answer.items
  if (known) return known
  throw fail('CHAIN_UNAVAILABLE')
}
