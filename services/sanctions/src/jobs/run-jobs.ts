import { AppError, CallError } from '@bursar/http'
import { every, type Loop } from '@bursar/store'
import type { SanctionsDeps } from '../deps'
import { screenAddress } from '../screening/screen-address'
import { screenTransaction } from '../screening/screen-transaction'
import { claimJob, leaseMs } from './claim-job'
import { endJob, type Outcome } from './end-job'
import { changeJob, countPending, type JobRow } from './jobs'

const lookMs = 250
/** Jobs at a time. */
const lanes = 8
/** The pauses after an attempt without a verdict; after the last one the job has failed. */
const pausesMs = [1000, 5000, 30_000, 120_000, 600_000]

/** Screens what is due, until it is stopped. `runNow` looks at once. */
export function runningJobs(deps: SanctionsDeps): Loop {
  let stopping = false
  const loop = every(lookMs, () => runDue(deps, () => stopping), { log: deps.log, name: 'The screening of jobs' })
  return {
    ...loop,
    stop() {
      stopping = true
      return loop.stop()
    },
  }
}

/** Works on all jobs that are due, each once. */
export async function runDue(deps: SanctionsDeps, isStopping = () => false): Promise<void> {
  const lane = async () => {
    while (!isStopping()) {
      const job = await claimJob(deps.store, deps.now())
      if (!job) return
      await runJob(deps, job)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

async function runJob(deps: SanctionsDeps, job: JobRow): Promise<void> {
  const { store, config, now, log } = deps
  try {
    const outcome = await withinLease(screen(deps, job))
    await store.commit((tx) => endJob(tx, job, outcome, { at: now(), callbackUrl: config.callbackUrl }))
  } catch (error) {
    log.warn({ err: error, jobId: job.id, attempts: job.attempts + 1 }, 'A job could not be screened')
    await putOff(deps, job, reasonOf(error))
  }
}

async function screen(deps: SanctionsDeps, { kind, subject, blockchain }: JobRow): Promise<Outcome> {
  if (kind === 'transaction') return await screenTransaction(deps, { transactionId: subject, blockchain })
  return await screenAddress(deps, { address: subject, blockchain })
}

/** What a screening that outlives its lease finds is thrown away: another worker may have the job then. */
async function withinLease<T>(work: Promise<T>): Promise<T> {
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('LATE', 503, 'The screening took too long')), leaseMs / 2)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** After an attempt without a verdict: another one later, or none. The ledger's transactions wait for their verdict. */
async function putOff({ store, config, now }: SanctionsDeps, job: JobRow, error: string): Promise<void> {
  const at = now()
  const pauseMs = pausesMs[job.attempts] ?? (job.kind === 'ledger' ? pausesMs.at(-1) : undefined)
  await store.commit(async (tx) => {
    if (pauseMs === undefined) await endJob(tx, job, { error }, { at, callbackUrl: config.callbackUrl })
    else await changeJob(tx, job, { attempts: job.attempts + 1, dueAt: new Date(at.getTime() + pauseMs), error }, at)
  })
}

/** In words that a caller may read. */
const reasonOf = (error: unknown): string =>
  error instanceof AppError || error instanceof CallError ? error.message.slice(0, 500) : 'The screening failed'

export function addJobGauges({ store, metrics }: SanctionsDeps): void {
  metrics.add({
    name: 'bursar_sanctions_jobs_pending',
    help: 'Screening jobs without a result',
    read: () => countPending(store.read),
  })
}
