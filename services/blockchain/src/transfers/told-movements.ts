import type { ToldMovements } from '@bursar/contracts/blockchain'
import type { Db } from '@bursar/store'
import { movementsOf } from '../movements/movements'
import { findUntold } from '../movements/untold-fees'
import type { Networks } from '../networks/networks'
import { findSendByHash } from '../sends/sends'
import { findCursor } from '../watching/cursors'

/** The published movements of a transaction, and whether they are complete. Fails while the network is unreachable. */
export async function toldMovements(
  db: Db,
  networks: Networks,
  asked: { network: string; txHash: string },
): Promise<ToldMovements> {
  const chain = await networks.open(asked.network)
  const txHash = chain.hash(asked.txHash)
  if (txHash === null) return { places: [], unknownTokens: [], isWhole: false }
  const { name: network, confirmations } = chain.settings
  const found = await chain.find(txHash)
  // This and whether its fee is recorded are read before the movements: then they are among these.
  const cursor = chain.source.kind === 'blocks' ? await findCursor(db, network) : null
  const send = await findSendByHash(db, network, txHash)
  // Its fee is recorded when the send ends.
  const isSettled = send
    ? send.status !== 'accepted' && send.status !== 'broadcast'
    : (await findUntold(db, network, txHash)) === null
  const noted = await movementsOf(db, network, txHash)
  const untold = noted.filter(({ confirmedAt }) => confirmedAt === null)
  const isFinal = found !== null && found.status !== 'pending' && found.block !== null
  const isRead = isFinal && cursor !== null && (found.block ?? 0) <= cursor.block - confirmations + 1
  return {
    places: noted.filter(({ confirmedAt }) => confirmedAt !== null).map(({ place }) => place),
    unknownTokens: untold.flatMap(({ decimals, contractAddress }) =>
      decimals === null ? (contractAddress ?? []) : [],
    ),
    isWhole: isRead && isSettled && untold.every(({ decimals }) => decimals === null),
  }
}
