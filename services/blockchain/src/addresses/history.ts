import { comparableAddress } from '@bursar/contracts/address'
import type { Static } from '@bursar/contracts/schema'
import { page } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import type { Db } from '@bursar/store'
import { tokenKey } from '../networks/comparable'
import type { Networks } from '../networks/networks'
import { findToken } from '../tokens/tokens'
import { countHistory, readHistory } from '../transfers/history'
import type { TransferRow } from '../transfers/transfers.table'
import type { AddressTransaction, HistoryQuery } from './addresses.model'

/** The recorded movements to and from an address, newest first. One that nothing is recorded of has none. */
export async function readAddressTransactions(db: Db, networks: Networks, address: string, query: HistoryQuery) {
  const key = comparableAddress(address)
  const [rows, total] = await Promise.all([readHistory(db, key, query.limit, query.offset), countHistory(db, key)])
  return page(await Promise.all(rows.map((row) => toTransaction(db, networks, key, row))), query, total)
}

async function toTransaction(
  db: Db,
  networks: Networks,
  key: string,
  row: TransferRow,
): Promise<Static<typeof AddressTransaction>> {
  const token = await findToken(db, row.network, tokenKey(row.contractAddress))
  return {
    transactionHash: row.txHash,
    network: row.network,
    simulated: networks.find(row.network)?.kind === 'simulated',
    direction: row.toKey === key ? 'in' : 'out',
    status: row.status,
    fromAddress: row.fromAddress,
    toAddress: row.toAddress,
    currency: token?.code ?? null,
    contractAddress: row.contractAddress,
    amount: row.decimals === null ? row.amount.toString() : formatAmount(row.amount, row.decimals),
    decimals: row.decimals,
    blockNumber: row.block,
    timestamp: row.at.toISOString(),
  }
}
