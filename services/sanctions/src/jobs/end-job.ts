import { SanctionsJobCompleted } from '@bursar/contracts/sanctions'
import { emitAll, type Tx } from '@bursar/store'
import { requestDelivery } from '../callbacks/request-delivery'
import { type ScreenedAddress, type Sighting, watch } from '../watch/watch'
import { addJobs, type JobRow, noteEnds, pendingAmong, type ReadJob, type Result } from './jobs'
import { keptResult } from './results'

/** The outcome of a job: a result, or the reason why there is none. */
export type Outcome = { result: Result; screened: readonly ScreenedAddress[] } | { error: string }

/** A job and how it is to end. */
export interface Ending {
  job: JobRow
  outcome: Outcome
}

/** When jobs end, and who is told of it besides the endpoints of their participants. */
export interface Ends {
  at: Date
  callbackUrl: string | undefined
}

/**
 * Ends jobs after their last attempts: stores their states, emits their events, requests their webhooks and watches
 * their addresses, in this transaction. Those that have ended before stay as they are.
 */
export async function endJobs(tx: Tx, all: readonly Ending[], ends: Ends): Promise<void> {
  const ids = all.map(({ job }) => job.id)
  const pending = new Set((await pendingAmong(tx, ids)).map(({ id }) => id))
  const ending = all.filter(({ job }) => pending.has(job.id))
  await noteEnds(tx, rowsOf(ending, ends))
  await tellOf(tx, ending, ends)
}

/** The same for new jobs, which end as they are stored. */
export async function addEndedJobs(tx: Tx, ending: readonly Ending[], ends: Ends): Promise<void> {
  await addJobs(tx, rowsOf(ending, ends))
  await tellOf(tx, ending, ends)
}

const rowsOf = (ending: readonly Ending[], { at }: Ends): JobRow[] =>
  ending.map(({ job, outcome }) => {
    const state = stateAfter(outcome)
    const result = 'result' in outcome ? keptResult(job, outcome.result, outcome.screened) : null
    const sanctioned = state.result?.sanctioned ?? null
    const over = { attempts: job.attempts + 1, dueAt: null, leasedUntil: null, updatedAt: at }
    return { ...job, ...state, result, sanctioned, ...over }
  })

const stateAfter = (outcome: Outcome) =>
  'result' in outcome
    ? { status: 'completed' as const, result: outcome.result, lastError: null }
    : { status: 'failed' as const, result: null, lastError: outcome.error }

async function tellOf(tx: Tx, ending: readonly Ending[], { at, callbackUrl }: Ends): Promise<void> {
  await watch(tx, ending.flatMap(sightingsOf), at)
  const ended = ending.map(({ job, outcome }) => ({ ...job, ...stateAfter(outcome), ...listOf(outcome) }))
  await emitEnded(tx, ended, at)
  for (const { id: jobId, kind, externalId, participantId, callbackHeaders, status, result } of ended) {
    // The core ledger sends its own webhooks for its transactions.
    if (kind === 'ledger') continue
    const data = { jobId, externalId, status, result }
    const eventType = status === 'failed' ? ('sanctions.failed' as const) : ('sanctions.completed' as const)
    const delivery = { requestId: jobId, eventType, participantId, callbackUrl, headers: callbackHeaders, data }
    await requestDelivery(tx, delivery, at)
  }
}

function listOf(outcome: Outcome): { listId?: number } {
  const [screened] = 'result' in outcome ? outcome.screened : []
  return screened ? { listId: screened.listId } : {}
}

function sightingsOf({ job: { kind, externalId, participantId }, outcome }: Ending): Sighting[] {
  if (!('result' in outcome)) return []
  const ledgerTransactionId = kind === 'ledger' ? externalId : null
  return outcome.screened.map((screened) => ({ ...screened, participantId, ledgerTransactionId }))
}

/** Emits the ends of jobs, in this transaction; also a second time, when the first event was lost. */
export const emitEnded = (tx: Tx, ended: readonly ReadJob[], at: Date): Promise<void> =>
  emitAll(
    tx,
    SanctionsJobCompleted,
    ended.map(({ id: jobId, kind, externalId, participantId, status, result, lastError: error, listId }) => {
      if (status === 'pending') throw new Error(`Job ${jobId} has not ended`)
      const data = { v: 1 as const, jobId, kind, externalId, participantId, status, result, error }
      return { data: { ...data, ...(listId === undefined ? {} : { listId }), at: at.toISOString() }, at }
    }),
  )
