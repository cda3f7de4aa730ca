import { AppError } from '@bursar/http'
import type { Tx } from '@bursar/store'
import { createPayment, type PaymentDraft } from './create-payment'
import { toPayment } from './payments'
import type { ManyAnswers } from './requests.model'

type Answer = ManyAnswers['data'][number]

/** Makes each transfer that can be made, in this commit, and answers for each. `drafts` has an error for what is no draft. */
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
    // A refusal: it comes before the first write, so that nothing is left of this one.
    if (error instanceof AppError) return refusal(index, error)
    throw error
  }
}

const refusal = (index: number, { status, code, message }: AppError): Answer => ({
  index,
  status,
  error: { code, message },
})
