import { AppError, isCallError } from '@bursar/http'
import {
  and,
  batched,
  type Claimed,
  count,
  type Db,
  eq,
  gte,
  isNotNull,
  LeaseLostError,
  min,
  prepared,
  sideBySide,
  stepwise,
  unindexed,
  type WorkLoop,
  workOn,
  workQueue,
} from '@bursar/store'
import type { SanctionsDeps } from '../deps'
import { screenAddress } from '../screening/screen-address'
import { screenTransaction } from '../screening/screen-transaction'
import { endJobs, type Outcome } from './end-job'
import { type JobRow, noteAttempt } from './jobs'
import { jobs } from './jobs.table'

/** The lease of a job. A screening that takes longer than half of it is abandoned. */
const leaseMs = 60_000
/** The pauses after attempts without a verdict; after the last one the job fails. */
const pausesMs = [1000, 5000, 30_000, 120_000, 600_000] as const
/** Jobs claimed in one batch. */
const batch = 16

export const jobQueue = workQueue(jobs, { id: 'id', leaseMs, backoff: stepwise(pausesMs) })

/** Screens the jobs that are due, until it is stopped. */
export function runningJobs(deps: SanctionsDeps): WorkLoop {
  const run = running(deps)
  return workOn(jobQueue, {
    store: deps.store,
    now: deps.now,
    log: deps.log,
    name: 'Screening jobs',
    // In parallel: a slow source delays no other job's verdict.
    handle: (rows) => sideBySide(rows, run),
    places: 8,
    batch,
    lookMs: 250,
  })
}

type Job = Claimed<JobRow>

/** Screens a job. Those that end at the same time share a commit. */
function running(deps: SanctionsDeps): (job: Job) => Promise<void> {
  const { store, config, now } = deps
  const end = batched(
    ({ job }: { job: Job; outcome: Outcome }) => job.id,
    async (tx, all) => {
      const claimed = all.map(({ job }) => job)
      await jobQueue.assertHeld(tx, claimed)
      await endJobs(tx, all, { at: now(), callbackUrl: config.callbackUrl })
      return all
    },
  )
  return (job) => runJob(deps, job, (outcome) => end(store, { job, outcome }))
}

async function runJob(deps: SanctionsDeps, job: Job, end: (outcome: Outcome) => Promise<unknown>): Promise<void> {
  const { log } = deps
  try {
    await end(await withinLease(screen(deps, job)))
  } catch (error) {
    if (error instanceof LeaseLostError) throw error
    // Jobs of ledger transactions are retried without end.
    const isLast = job.attempts >= pausesMs.length && job.kind !== 'ledger'
    const reason = reasonOf(error)
    if (isLast || job.lastError !== reason)
      log.warn({ err: error, jobId: job.id, attempts: job.attempts + 1 }, 'A job could not be screened')
    await (isLast ? end({ error: reason }) : reschedule(deps, job, reason))
  }
}

const reschedule = ({ store, now }: SanctionsDeps, job: Job, error: string): Promise<void> =>
  store.commit(async (tx) => {
    await jobQueue.reschedule(tx, job, { now: now(), error })
    await noteAttempt(tx).execute({ id: job.id, updatedAt: now() })
  }, job.id)

async function screen(deps: SanctionsDeps, { kind, subject, blockchain }: JobRow): Promise<Outcome> {
  if (kind === 'transaction') return await screenTransaction(deps, { transactionId: subject, blockchain })
  return await screenAddress(deps, { address: subject, blockchain })
}

/** The result of a screening that outlives its lease is discarded: another worker may have claimed the job. */
async function withinLease<T>(work: Promise<T>): Promise<T> {
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('LATE', 503, 'The screening took too long')), leaseMs / 2)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** A reason that may be shown to callers. */
const reasonOf = (error: unknown): string =>
  error instanceof AppError || isCallError(error) ? error.message.slice(0, 500) : 'The screening failed'

/**
 * The health sentence about transactions of the ledger that no source has screened in all shorter pauses, some minutes;
 * null for none. Nothing but a source that answers ends their wait.
 */
export async function unscreenedSentence(db: Db): Promise<string | null> {
  const [{ waiting, reason } = { waiting: 0, reason: null }] = await unscreened(db).execute()
  if (waiting === 0) return null
  const which = waiting === 1 ? '1 transaction' : `${waiting} transactions`
  return `${which} cannot be screened: PENDING until a source answers (${reason}); see BursarScreeningLate in docs/operations.md`
}

const unscreened = prepared((db) =>
  db
    .select({ waiting: count(), reason: min(jobs.lastError) })
    .from(jobs)
    .where(and(isNotNull(jobs.dueAt), eq(unindexed(jobs.kind), 'ledger'), gte(jobs.attempts, pausesMs.length))),
)

export function addJobGauges({ store, metrics }: SanctionsDeps): void {
  metrics.add({
    name: 'bursar_sanctions_jobs_pending',
    help: 'Screening jobs without a result',
    read: async () => (await jobQueue.backlog(store.read)).depth,
  })
}
