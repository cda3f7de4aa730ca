import { AppError } from '@bursar/http'
import type { Tx } from '@bursar/store'
import { fail } from '../errors'
import { moveAll } from './move'
import { type TransactionRecord, transactionNotFound, transactionsById } from './read-transactions'
import type { Status } from './states'
import type { ScreeningResult } from './transactions.model'

/** A verdict, and the id of the request that brought it; the commit's by default. */
type Verdict = ScreeningResult & { requestId?: string | null }

/**
 * Accepts verdicts of screenings on different transactions: PENDING → APPROVED and queued, or → FROZEN. The same verdict
 * again changes nothing; the opposite one, or a transaction that is no longer PENDING, is a 400 (decisions,
 * complete-screening). Gives each transaction, or why its verdict is refused.
 */
export async function completeScreenings(
  tx: Tx,
  verdicts: readonly Verdict[],
  now: Date,
): Promise<(TransactionRecord | AppError)[]> {
  const found = await transactionsById(
    tx,
    verdicts.map(({ id }) => id.toLowerCase()),
  )
  const accepted: Accepted[] = []
  const outcomes = verdicts.map((verdict) => {
    const transaction = found.get(verdict.id.toLowerCase())
    if (!transaction) return transactionNotFound(verdict.id)
    const refusal = refusalOf(transaction, verdict)
    if (!refusal && transaction.screeningApproved === null) accepted.push({ verdict, transaction })
    return refusal ?? transaction
  })
  const moved = new Map<TransactionRecord, TransactionRecord>()
  for (const [to, some] of Map.groupBy(accepted, statusAfter)) {
    const records = await moveAll(tx, to, some.map(toMoving), now)
    for (const [i, { transaction }] of some.entries()) moved.set(transaction, records[i] as TransactionRecord)
  }
  return outcomes.map((outcome) => (outcome instanceof AppError ? outcome : (moved.get(outcome) ?? outcome)))
}

/** Null if the transaction is PENDING, or the same verdict was given before. */
function refusalOf({ id, status, screeningApproved }: TransactionRecord, { isApproved }: Verdict): AppError | null {
  if (screeningApproved === isApproved || (screeningApproved === null && status === 'PENDING')) return null
  const verdict = screeningApproved === null ? '' : `, its screening ${screeningApproved ? 'passed' : 'not passed'}`
  return fail('ILLEGAL_MOVE', { message: `Transaction ${id} is ${status}${verdict}` })
}

interface Accepted {
  verdict: Verdict
  transaction: TransactionRecord
}

const statusAfter = ({ verdict }: Accepted): Status => (verdict.isApproved ? 'APPROVED' : 'FROZEN')

function toMoving({ verdict, transaction }: Accepted) {
  const { isApproved, screeningData = null, requestId } = verdict
  const reason = screeningData?.reason
  const detail = typeof reason === 'string' ? reason.slice(0, 500) : null
  const change = { detail, screeningApproved: isApproved, screeningData }
  return { transaction, change, ...(requestId === undefined ? {} : { requestId }) }
}
