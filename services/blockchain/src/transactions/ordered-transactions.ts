import type { Db } from '@bursar/store'
import { fail } from '../errors'
import type { Networks } from '../networks/networks'
import { findSend } from '../sends/sends'
import type { SendRow } from '../sends/sends.table'
import { transactionByCaller } from './order-transaction'
import type { OrderedTransaction } from './transactions.model'
import type { TransactionRow } from './transactions.table'

/** The caller's own transaction. Fails (404) for an unknown transactionId. */
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

/** The status of the ledger's transaction, with the hash of its send. */
export async function present(db: Db, networks: Networks, row: TransactionRow): Promise<OrderedTransaction> {
  const send = row.ledgerId === null ? undefined : await findSend(db, row.ledgerId)
  return {
    id: row.id,
    type: row.type,
    transactionId: row.transactionId,
    status: statusOf(row, send),
    amount: row.amount,
    currency: row.currency,
    network: row.network,
    simulated: networks.find(row.network)?.kind === 'simulated',
    accountId: row.accountId,
    destinationAddress: row.destinationAddress,
    iban: row.iban,
    swift: row.swift,
    transactionHash: send?.txHash ?? null,
    reason: row.reason ?? send?.reason ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: (send && send.updatedAt > row.updatedAt ? send : row).updatedAt.toISOString(),
  }
}

function statusOf({ status, ledgerStatus }: TransactionRow, send: SendRow | undefined) {
  if (status === 'failed' || ledgerStatus === 'REJECTED' || ledgerStatus === 'FAILED') return 'failed'
  if (ledgerStatus === 'COMPLETED') return 'confirmed'
  // Whatever the state of the send, the ledger decides the end.
  return send?.txHash == null ? 'pending' : 'broadcast'
}
