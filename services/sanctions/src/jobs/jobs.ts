import type { AddressResult, TransactionResult } from '@bursar/contracts/sanctions'
import {
  and,
  byKey,
  type Db,
  eq,
  inArray,
  insertAll,
  newId,
  param,
  queryAmong,
  rowBy,
  type Tx,
  updateAll,
  updateBy,
  waitingSince,
} from '@bursar/store'
import { fail } from '../errors'
import type { Job, JobDetails, JobEntry } from './jobs.model'
import { jobs } from './jobs.table'

export type JobRow = typeof jobs.$inferSelect
export type Result = AddressResult | TransactionResult
/** A job with its whole result (results.ts), and the list that its address was compared with where that is known. */
export type ReadJob = Omit<JobRow, 'result'> & { result: Result | null; listId?: number }

/** The fields of a new job. */
export type NewJob = Pick<JobRow, 'kind' | 'externalId' | 'subject' | 'blockchain' | 'participantId'>

/**
 * Stores a job that is due at once. `sealHeaders` encrypts the caller's headers for the job's id. Fails (409)
 * when there is one of this kind with this externalId.
 */
export async function createJob(
  tx: Tx,
  job: NewJob,
  sealHeaders: (jobId: string) => string | null,
  now: Date,
): Promise<JobRow> {
  if (await findJob(tx, job)) throw fail('EXTERNAL_ID_TAKEN')
  const row = newJob(job, now)
  row.callbackHeaders = sealHeaders(row.id)
  await addJobs(tx, [row])
  return row
}

/** What the job of a ledger transaction is made of. */
type LedgerJob = Omit<NewJob, 'kind'>

/**
 * A job for each of these ledger transactions that has none. It is due at once, and not stored yet. Besides those that
 * have a job of no participant, and are of one: they were found before their event told whose they are.
 */
export async function newLedgerJobs(
  tx: Tx,
  all: readonly LedgerJob[],
  now: Date,
): Promise<{ made: JobRow[]; unowned: (LedgerJob & { id: string })[] }> {
  const ids = all.map(({ externalId }) => externalId)
  const known = new Map((await ledgerJobs(tx, ids)).map((row) => [row.externalId, row]))
  return {
    made: all.flatMap((job) => (known.has(job.externalId) ? [] : [newJob({ ...job, kind: 'ledger' }, now)])),
    unowned: all.flatMap((job) => {
      const row = known.get(job.externalId)
      return row && row.participantId === null && job.participantId !== null ? [{ ...job, id: row.id }] : []
    }),
  }
}

function newJob(job: NewJob, now: Date): JobRow {
  return {
    ...job,
    id: newId(now),
    callbackHeaders: null,
    status: 'pending',
    result: null,
    sanctioned: null,
    ...waitingSince(now),
    createdAt: now,
    updatedAt: now,
  }
}

export async function findJob(db: Db, { kind, externalId }: Pick<JobRow, 'kind' | 'externalId'>) {
  const [row] = await jobByName(db).execute({ kind, externalId })
  return row
}

export const findJobById = rowBy(jobs, 'id')

/** Fails (404) also for another participant's job. */
export async function getJob(db: Db, id: string, participantId: string | null): Promise<JobRow> {
  const row = await findJobById(db, id)
  if (!row || (participantId !== null && row.participantId !== participantId)) throw fail('JOB_NOT_FOUND')
  return row
}

/** The job as its creation returns it. */
export const toJob = ({ id, externalId, status }: JobRow): Job => ({ jobId: id, externalId, status })

/** The job with its outcome. */
export const toJobDetails = (row: ReadJob): JobDetails => ({
  ...toJob(row),
  kind: row.kind,
  result: row.result,
  error: row.lastError,
  attempts: row.attempts,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** The job as lists show it. */
export const toJobEntry = (row: ReadJob): JobEntry => ({
  ...toJobDetails(row),
  subject: row.subject,
  blockchain: row.blockchain,
  participantId: row.participantId,
  sanctioned: row.sanctioned,
})

/** Stores new jobs. */
export const addJobs = insertAll(jobs)
/** Stores how jobs ended. */
export const noteEnds = updateAll(jobs, 'id', [
  'status',
  'result',
  'sanctioned',
  'lastError',
  'attempts',
  'dueAt',
  'leasedUntil',
  'updatedAt',
])
const jobByName = byKey(jobs, 'externalId', { only: eq(jobs.kind, param('kind')) })
const ledgerJobs = queryAmong(
  (ids) => (db) =>
    db
      .select({ id: jobs.id, externalId: jobs.externalId, participantId: jobs.participantId })
      .from(jobs)
      .where(and(eq(jobs.kind, 'ledger'), inArray(jobs.externalId, ids))),
)
/** The ids of those of these jobs that have not ended. */
export const pendingAmong = queryAmong(
  (ids) => (db) =>
    db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(inArray(jobs.id, ids), eq(jobs.status, 'pending'))),
)
/** Records an attempt that left the job pending. */
export const noteAttempt = updateBy(jobs, 'id', ['updatedAt'])
/** Says whose a job is. */
export const setOwner = updateBy(jobs, 'id', ['participantId'])
