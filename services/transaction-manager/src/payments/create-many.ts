import { AppError } from '@bursar/http'
import type { Tx } from '@bursar/store'
import { createPayment, type PaymentDraft } from './create-payment'
import { toPayment } from './payments'
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
  const answers: Answer[] = []
  for (const [index, draft] of drafts.entries()) {
    answers.push(draft instanceof AppError ? refusal(index, draft) : await createOne(tx, { index, draft, by, now }))
  }
  return answers
}

async function createOne(
  tx: Tx,
  { index, draft, by, now }: { index: number; draft: PaymentDraft; by: string | null; now: Date },
): Promise<Answer> {
  try {
    return { index, status: 201, transaction: toPayment(await createPayment(tx, draft, by, now)) }
  } catch (error) {
    // A refusal comes before the first write, so this transfer leaves nothing behind.
    if (error instanceof AppError) return refusal(index, error)
    throw error
  }
}

const refusal = (index: number, { status, code, message }: AppError): Answer => ({
  index,
  status,
  error: { code, message },
})
