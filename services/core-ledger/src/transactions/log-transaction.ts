import { LogRecorded } from '@bursar/contracts/log-tracker'
import { currentRequestId } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import { emit, type Tx } from '@bursar/store'
import type { TransactionRecord } from './read-transactions'
import type { Move } from './states'

/** How a new transaction reads in the tracker. */
export const created: Move['log'] = { event_type: 'TRANSACTION_CREATED', status: 'PENDING', action: 'created' }

/** What of a detail goes along: with it the line stays far below the tracker's limit, and need not be weighed. */
const longestDetail = 2000

/** Puts a transaction's line for the log tracker into the outbox, in this commit (spec 2, Events; decisions). */
export async function logTransaction(
  tx: Tx,
  transaction: TransactionRecord,
  { event_type, status, action }: Move['log'],
  at: Date,
  detail: string | null = null,
): Promise<void> {
  const metadata: Record<string, unknown> = {
    transaction_id: transaction.id,
    action,
    type: transaction.type,
    transaction_status: transaction.status,
    customer_id: transaction.customerId,
    account_id: transaction.accountId,
    asset_id: transaction.assetId,
    asset_code: transaction.asset.code,
    network: transaction.network,
    amount: formatAmount(transaction.amount, transaction.asset.decimals),
  }
  if (transaction.txHash !== null) metadata.tx_hash = transaction.txHash
  if (detail !== null) metadata.detail = detail.slice(0, longestDetail)
  // What no request causes is found under the transaction's own id.
  const request_id = currentRequestId() ?? transaction.id
  const line = { service: 'core-ledger', request_id, timestamp: at.toISOString(), event_type, status, metadata }
  await emit(tx, LogRecorded, line, at)
}
