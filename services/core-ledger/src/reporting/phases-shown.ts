import { type Phase, phaseNames, phasesOf } from '../movements/phases'
import type { TransactionRecord } from '../movements/read-transactions'
import { dueOf, type Work } from '../movements/read-work'
import type { GatewayPhase } from './gateway.model'

type Place = Pick<Work, 'attempts' | 'lastError' | 'dueAt' | 'createdAt'> | null

/**
 * All five phases in order: the stored ones, with the attempts of their work, and the others as PENDING (not reached
 * yet) or SKIPPED (a review that was not needed, an execution after a rejection).
 */
export function phasesShown(record: TransactionRecord, work: Place): GatewayPhase[] {
  const stored = phasesOf(record)
  const lastBegun = Math.max(...stored.map(({ name }) => phaseNames.indexOf(name)))
  const hasEnded = ['COMPLETED', 'REJECTED', 'FAILED'].includes(record.status)
  return phaseNames.map((name, place) => {
    const phase = stored.find((one) => one.name === name)
    if (phase) return { ...phase, detail: phase.detail ?? detailOf(phase, work) }
    const status = hasEnded || place < lastBegun ? 'SKIPPED' : 'PENDING'
    return { name, status, startedAt: null, completedAt: null, detail: null }
  })
}

/** `Attempt 3: The wallet service cannot be reached; next attempt at …` while it is executed. */
function detailOf({ name, status }: Phase, work: Place): string | null {
  if (!work || status !== 'IN_PROGRESS' || (name !== 'execution' && name !== 'confirmation')) return null
  const next = `next attempt at ${dueOf(work).toISOString()}`
  if (work.lastError !== null) return `Attempt ${work.attempts}: ${work.lastError}; ${next}`
  return work.attempts > 0 || name === 'confirmation' ? `Waiting for the network; ${next}` : null
}
