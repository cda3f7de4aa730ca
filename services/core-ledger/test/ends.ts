import type { Tx } from '@bursar/store'
import { fail } from '../src/errors'
import { completeApproved, move } from '../src/movements/move'
import { obstacleOf } from '../src/movements/obstacle'
import { transactionById } from '../src/movements/read-transactions'

/**
 * The result of completing or failing: `done` by this call, `repeated` if it was done before, `held` if it is not
 * possible now.
 */
export type Outcome = 'done' | 'repeated' | 'held'

/**
 * APPROVED → COMPLETED, as the workers do it. `held` for a deposit or transfer whose account or customer is not active. A
 * withdrawal is completed in any case: its money has left. Fails from any other status.
 */
export async function completeTransaction(
  tx: Tx,
  id: string,
  { txHash, at }: { txHash?: string; at: Date },
): Promise<Outcome> {
  const transaction = await transactionById(tx, id)
  const { status } = transaction
  if (status === 'COMPLETED') return 'repeated'
  if (status !== 'APPROVED') {
    throw fail('ILLEGAL_MOVE', { message: `Transaction ${id} is ${status} and cannot become COMPLETED` })
  }
  if (transaction.type !== 'WITHDRAWAL' && (await obstacleOf(tx, transaction))) return 'held'
  await completeApproved(tx, [{ transaction, ...(txHash === undefined ? {} : { txHash }) }], at)
  return 'done'
}

/** APPROVED → FAILED, as the workers do it. Fails from any other status. */
export async function failTransaction(tx: Tx, id: string, reason: string, at: Date): Promise<Outcome> {
  const transaction = await transactionById(tx, id)
  if (transaction.status === 'FAILED') return 'repeated'
  await move(tx, transaction, 'FAILED', { at, detail: reason, failureReason: reason })
  return 'done'
}
