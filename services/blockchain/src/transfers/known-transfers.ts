import { comparableAddress } from '@bursar/contracts/address'
import type { KnownTransfer } from '@bursar/contracts/blockchain'
import { byKey, type Db, eq, param } from '@bursar/store'
import type { Networks } from '../networks/networks'
import { findWatched } from '../watching/watched'
import { type TransferRow, transfers } from './transfers.table'

/**
 * The transfers of a transaction to watched addresses: those that are recorded as final, and unless that is all of them,
 * the others that the chain tells, which are not those of contracts. None for an unknown transaction. Fails while the
 * network is unreachable.
 */
export async function knownTransfers(
  db: Db,
  networks: Networks,
  asked: { network: string; txHash: string },
): Promise<KnownTransfer[]> {
  const chain = await networks.open(asked.network)
  const txHash = chain.hash(asked.txHash)
  if (txHash === null) return []
  const network = chain.settings.name
  const rows = (await transfersOf(db).execute({ network, txHash })).filter(({ accountId }) => accountId !== null)
  const known: KnownTransfer[] = rows.filter(({ status }) => status === 'confirmed').map(fromRow)
  // A network read by accounts may have returned only some of them yet.
  if (chain.source.kind === 'blocks' && rows.length > 0 && known.length === rows.length) return known
  const found = await chain.find(txHash)
  if (!found || found.status === 'failed') return known
  const places = new Set(known.map(({ logIndex }) => logIndex))
  for (const { logIndex, from, to, contractAddress, amount } of found.transfers) {
    if (places.has(logIndex)) continue
    const receiver = await findWatched(db, network, comparableAddress(to))
    if (!receiver || amount <= 0n || comparableAddress(from) === receiver.key) continue
    known.push({
      logIndex,
      accountId: receiver.accountId,
      sourceAddress: from,
      toAddress: receiver.address,
      contractAddress,
      amount: amount.toString(),
      isFinal: found.status === 'confirmed',
    })
  }
  return known
}

const fromRow = ({ logIndex, accountId, fromAddress, toAddress, contractAddress, amount }: TransferRow) => ({
  logIndex,
  accountId,
  sourceAddress: fromAddress,
  toAddress,
  contractAddress,
  amount: amount.toString(),
  isFinal: true,
})

/** The recorded transfers of a transaction. */
export const transfersOf = byKey(transfers, 'network', { only: eq(transfers.txHash, param('txHash')) })
