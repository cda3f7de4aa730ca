import type { Db } from '@bursar/store'
import { fail } from '../errors'
import type { Networks } from '../networks/networks'
import { findSend } from '../sends/sends'
import { transactionByCaller } from './order-transaction'
import type { OrderedTransaction } from './transactions.model'
import type { TransactionRow } from './transactions.table'

/** The caller's own transaction. Fails (404) when there is none of that name. */
export async function getOrdered(
  db: Db,
  participantId: string,
  type: TransactionRow['type'],
  transactionId: string,
): Promise<TransactionRow> {
  const [row] = await transactionByCaller(db).execute({ participantId, type, transactionId })
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** With how its send stands, once the wallet service has ordered one. */
export async function present(db: Db, networks: Networks, row: TransactionRow): Promise<OrderedTransaction> {
  const send = await findSend(db, row.id)
  const own = row.status === 'failed' ? 'failed' : 'pending'
  return {
    id: row.id,
    type: row.type,
    transactionId: row.transactionId,
    status: send ? (send.status === 'accepted' ? 'pending' : send.status) : own,
    amount: row.amount,
    currency: row.currency,
    network: row.network,
    simulated: networks.find(row.network)?.kind === 'simulated',
    accountId: row.accountId,
    destinationAddress: row.destinationAddress,
    iban: row.iban,
    swift: row.swift,
    transactionHash: send?.txHash ?? null,
    reason: send?.reason ?? row.reason,
    createdAt: row.createdAt.toISOString(),
    updatedAt: (send && send.updatedAt > row.updatedAt ? send : row).updatedAt.toISOString(),
  }
}
