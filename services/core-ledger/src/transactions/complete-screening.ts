import type { Store } from '@bursar/store'
import { fail } from '../errors'
import { move } from './move'
import { transactionById } from './read-transactions'
import type { Enqueued, ScreeningResult } from './transactions.model'

/**
 * Takes a screening's verdict: PENDING → APPROVED and queued, or → FROZEN. The same verdict again answers as before and
 * changes nothing; the contrary, or a transaction that is no longer PENDING, is a 400 (decisions, complete-screening).
 */
export const completeScreening = (
  store: Store,
  { id, isApproved, screeningData = null }: ScreeningResult,
  now = new Date(),
): Promise<Enqueued> =>
  store.commit(async (tx) => {
    const transaction = await transactionById(tx, id)
    const { screeningApproved, status } = transaction
    if (screeningApproved === isApproved) return answerTo(isApproved)
    if (screeningApproved !== null || status !== 'PENDING') {
      const verdict = screeningApproved === null ? '' : `, its screening ${screeningApproved ? 'passed' : 'not passed'}`
      throw fail('ILLEGAL_MOVE', { message: `Transaction ${transaction.id} is ${status}${verdict}` })
    }
    const reason = screeningData?.reason
    await move(tx, transaction, isApproved ? 'APPROVED' : 'FROZEN', {
      at: now,
      detail: typeof reason === 'string' ? reason.slice(0, 500) : null,
      screeningApproved: isApproved,
      screeningData,
    })
    return answerTo(isApproved)
  })

const answerTo = (isApproved: boolean): Enqueued => (isApproved ? { enqueued: true } : {})
