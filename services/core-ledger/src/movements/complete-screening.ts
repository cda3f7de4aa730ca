import type { Tx } from '@bursar/store'
import { fail } from '../errors'
import { move } from './move'
import { type TransactionRecord, transactionById } from './read-transactions'
import type { ScreeningResult } from './transactions.model'

/**
 * Accepts a screening's verdict: PENDING → APPROVED and queued, or → FROZEN. The same verdict again changes nothing;
 * the opposite one, or a transaction that is no longer PENDING, is a 400 (decisions, complete-screening).
 */
export async function completeScreening(
  tx: Tx,
  { id, isApproved, screeningData = null }: ScreeningResult,
  now: Date,
): Promise<TransactionRecord> {
  const transaction = await transactionById(tx, id)
  const { screeningApproved, status } = transaction
  if (screeningApproved === isApproved) return transaction
  if (screeningApproved !== null || status !== 'PENDING') {
    const verdict = screeningApproved === null ? '' : `, its screening ${screeningApproved ? 'passed' : 'not passed'}`
    throw fail('ILLEGAL_MOVE', { message: `Transaction ${transaction.id} is ${status}${verdict}` })
  }
  const reason = screeningData?.reason
  return await move(tx, transaction, isApproved ? 'APPROVED' : 'FROZEN', {
    at: now,
    detail: typeof reason === 'string' ? reason.slice(0, 500) : null,
    screeningApproved: isApproved,
    screeningData,
  })
}
