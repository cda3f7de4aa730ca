import { AppError } from '@bursar/http'
import type { Tx } from '@bursar/store'
import { createPayments, type PaymentDraft } from './create-payments'
import { type PaymentRow, toPayment } from './payments'
import type { ManyAnswers } from './requests.model'

type Answer = ManyAnswers['data'][number]

/**
 * Creates each valid transfer, in this commit, and returns a result for each. `drafts` has errors for invalid entries.
 */
export async function createMany(
  tx: Tx,
  drafts: readonly (PaymentDraft | AppError)[],
  by: string | null,
  now: Date,
): Promise<Answer[]> {
  const valid = drafts.flatMap((draft) => (draft instanceof AppError ? [] : [{ draft, by }]))
  const outcomes = await createPayments(tx, valid, now)
  let next = 0
  return drafts.map((draft, index) => {
    const outcome = draft instanceof AppError ? draft : (outcomes[next++] as PaymentRow | AppError)
    return outcome instanceof AppError
      ? refusal(index, outcome)
      : { index, status: 201, transaction: toPayment(outcome) }
  })
}

const refusal = (index: number, { status, code, message }: AppError): Answer => ({
  index,
  status,
  error: { code, message },
})
