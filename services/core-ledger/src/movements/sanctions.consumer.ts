import { SanctionsJobCompleted } from '@bursar/contracts/sanctions'
import { type Consumer, consumer } from '@bursar/http'
import { receive } from '@bursar/store'
import type { LedgerDeps } from '../deps'
import { completeScreening } from './complete-screening'
import { findTransaction } from './read-transactions'

/**
 * With SCREENING=sanctions the sanctions service screens new transactions; its verdict completes their screening. It
 * fails closed: what could not be screened is not approved. The verdict on a transaction that a restore has taken away is
 * dropped.
 */
export function sanctionsConsumers({ store, config, log, now, metrics }: LedgerDeps): Consumer[] {
  let dropped = 0
  const help = 'Verdicts on transactions that are unknown to the ledger, since the start'
  metrics.add({ name: 'bursar_screenings_dropped', help, read: () => dropped })
  return [
    consumer(SanctionsJobCompleted, async (envelope) => {
      const { kind, externalId: id, jobId, result, error } = envelope.data
      if (config.screening !== 'sanctions' || kind !== 'ledger') return
      const isApproved = result !== null && !result.sanctioned
      let outcome: 'late' | 'unknown' | null = null
      await receive(store, envelope, async (tx) => {
        const found = await findTransaction(tx, id)
        outcome = found ? null : 'unknown'
        if (!found) return
        const { status, screeningApproved } = found
        if (status !== 'PENDING' && screeningApproved !== isApproved) outcome = 'late'
        if (status !== 'PENDING') return
        const screeningData = { reason: error ?? reasonOf(result), jobId, result }
        await completeScreening(tx, { id, isApproved, screeningData }, now())
      })
      if (outcome === 'late') {
        log.warn({ id, jobId, isApproved }, 'A person has completed the screening with the opposite verdict')
      }
      if (outcome !== 'unknown') return
      dropped += 1
      log.warn({ id, jobId, isApproved }, 'A verdict on an unknown transaction was dropped')
    }),
  ]
}

/** In words for the reviewer. */
function reasonOf(result: SanctionsJobCompleted['result']): string {
  const sources = result?.sources ?? []
  const matched = sources.filter(({ match }) => match).map(({ provider }) => provider)
  if (matched.length > 0) return `The counterparty is sanctioned: ${matched.join(', ')}`
  if (sources.length === 0) return 'No party outside'
  return `The counterparty is not sanctioned: ${sources.map(({ provider }) => provider).join(', ')}`
}
