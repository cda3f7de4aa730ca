import type { Envelope } from '@bursar/contracts/event'
import { SanctionsJobCompleted } from '@bursar/contracts/sanctions'
import { AppError, type Consumer, consumer } from '@bursar/http'
import { receiveAll } from '@bursar/store'
import type { LedgerDeps } from '../deps'
import { completeScreenings } from './complete-screening'
import type { ScreeningResult } from './transactions.model'

/**
 * With SCREENING=sanctions the sanctions service screens new transactions; its verdict completes their screening. It
 * fails closed: what could not be screened is not approved. The verdict on a transaction that a restore has taken away is
 * dropped.
 */
export function sanctionsConsumers({ store, config, log, now, metrics, rescreening }: LedgerDeps): Consumer[] {
  let dropped = 0
  const help = 'Verdicts on transactions that are unknown to the ledger, since the start'
  metrics.add({ name: 'bursar_screenings_dropped', help, read: () => dropped })
  const take = receiveAll(
    store,
    (envelope) => verdictIn(envelope).id,
    (tx, envelopes) => completeScreenings(tx, envelopes.map(verdictIn), now()),
  )
  return [
    consumer(SanctionsJobCompleted, async (envelope) => {
      const { kind, jobId, listId } = envelope.data
      if (config.screening !== 'sanctions' || kind !== 'ledger') return
      if (listId !== undefined) await rescreening.noteVerdict(listId, now())
      const outcome = (await take(envelope))?.result
      if (!(outcome instanceof AppError)) return
      const { id, isApproved } = verdictIn(envelope)
      if (outcome.code !== 'TRANSACTION_NOT_FOUND') {
        log.warn({ id, jobId, isApproved }, 'A person has completed the screening with the opposite verdict')
        return
      }
      dropped += 1
      log.warn({ id, jobId, isApproved }, 'A verdict on an unknown transaction was dropped')
    }),
  ]
}

function verdictIn({ data }: Envelope): ScreeningResult {
  const { externalId: id, jobId, result, error } = data as SanctionsJobCompleted
  const isApproved = result !== null && !result.sanctioned
  return { id, isApproved, screeningData: { reason: error ?? reasonOf(result), jobId, result } }
}

/** In words for the reviewer. */
function reasonOf(result: SanctionsJobCompleted['result']): string {
  const sources = result?.sources ?? []
  const matched = sources.filter(({ match }) => match).map(({ provider }) => provider)
  if (matched.length > 0) return `The counterparty is sanctioned: ${matched.join(', ')}`
  if (sources.length === 0) return 'No party outside'
  return `The counterparty is not sanctioned: ${sources.map(({ provider }) => provider).join(', ')}`
}
