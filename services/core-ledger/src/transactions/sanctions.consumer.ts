import { SanctionsJobCompleted } from '@bursar/contracts/sanctions'
import { type Consumer, consumer } from '@bursar/http'
import { receive } from '@bursar/store'
import type { LedgerDeps } from '../deps'
import { completeScreening } from './complete-screening'
import { transactionById } from './read-transactions'

/**
 * With SCREENING=sanctions the sanctions service screens new transactions; its verdict completes their screening. It
 * fails closed: what could not be screened is not approved.
 */
export const sanctionsConsumers = ({ store, config, log, now }: LedgerDeps): Consumer[] => [
  consumer(SanctionsJobCompleted, async (envelope) => {
    const { kind, externalId: id, jobId, result, error } = envelope.data
    if (config.screening !== 'sanctions' || kind !== 'ledger') return
    const isApproved = result !== null && !result.sanctioned
    let late = false
    await receive(store, envelope, async (tx) => {
      const { status, screeningApproved } = await transactionById(tx, id)
      late = status !== 'PENDING' && screeningApproved !== isApproved
      if (status !== 'PENDING') return
      const screeningData = { reason: error ?? reasonOf(result), jobId, result }
      await completeScreening(tx, { id, isApproved, screeningData }, now())
    })
    if (late) log.warn({ id, jobId, isApproved }, 'A person has completed the screening with the contrary verdict')
  }),
]

/** In words for the reviewer. */
function reasonOf(result: SanctionsJobCompleted['result']): string {
  const sources = result?.sources ?? []
  const matched = sources.filter(({ match }) => match).map(({ provider }) => provider)
  if (matched.length > 0) return `The counterparty is sanctioned: ${matched.join(', ')}`
  if (sources.length === 0) return 'No party outside'
  return `The counterparty is not sanctioned: ${sources.map(({ provider }) => provider).join(', ')}`
}
