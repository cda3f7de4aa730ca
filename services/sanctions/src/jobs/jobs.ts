import { and, byKey, type Db, eq, insertInto, param, prepared, type Tx, updateBy, waitingSince } from '@bursar/store'
import { fail } from '../errors'
import type { Job, JobDetails, JobEntry } from './jobs.model'
import { jobs } from './jobs.table'

export type JobRow = typeof jobs.$inferSelect

/** The fields of a new job. */
export type NewJob = Pick<JobRow, 'kind' | 'externalId' | 'subject' | 'blockchain' | 'participantId'>

/**
 * Stores a job that is due at once. `sealHeaders` encrypts the caller's headers for the job's id. Fails (409)
 * when there is one of this kind with this externalId.
 */
export async function createJob(
  tx: Tx,
  job: NewJob,
  { sealHeaders = () => null, now }: { sealHeaders?: (jobId: string) => string | null; now: Date },
): Promise<JobRow> {
  if (await findJob(tx, job)) throw fail('EXTERNAL_ID_TAKEN')
  const id = Bun.randomUUIDv7('hex', now.getTime())
  const row: JobRow = {
    ...job,
    id,
    callbackHeaders: sealHeaders(id),
    status: 'pending',
    result: null,
    sanctioned: null,
    ...waitingSince(now),
    createdAt: now,
    updatedAt: now,
  }
  await insertJob(tx).execute(row)
  return row
}

export async function findJob(db: Db, { kind, externalId }: Pick<JobRow, 'kind' | 'externalId'>) {
  const [row] = await jobByName(db).execute({ kind, externalId })
  return row
}

export async function findJobById(db: Db, id: string): Promise<JobRow | undefined> {
  const [row] = await jobById(db).execute({ id })
  return row
}

/** Fails (404) also for another participant's job. */
export async function getJob(db: Db, id: string, participantId: string | null): Promise<JobRow> {
  const row = await findJobById(db, id)
  if (!row || (participantId !== null && row.participantId !== participantId)) throw fail('JOB_NOT_FOUND')
  return row
}

/** Records how a job ended; returns false when it had already ended. */
export async function noteEnd(
  tx: Tx,
  { id, status, result, lastError, attempts }: Pick<JobRow, 'id' | 'status' | 'result' | 'lastError' | 'attempts'>,
  at: Date,
): Promise<boolean> {
  const sanctioned = result?.sanctioned ?? null
  const [ended] = await updatePending(tx).execute({
    id,
    status,
    result,
    sanctioned,
    lastError,
    attempts,
    updatedAt: at,
  })
  return ended !== undefined
}

/** Records an attempt that left the job pending. */
export const noteAttempt = (tx: Tx, id: string, at: Date): Promise<unknown> => touch(tx).execute({ id, updatedAt: at })

/** The job as its creation returns it. */
export const toJob = ({ id, externalId, status }: JobRow): Job => ({ jobId: id, externalId, status })

/** The job with its outcome. */
export const toJobDetails = (row: JobRow): JobDetails => ({
  ...toJob(row),
  kind: row.kind,
  result: row.result,
  error: row.lastError,
  attempts: row.attempts,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** The job as lists show it. */
export const toJobEntry = (row: JobRow): JobEntry => ({
  ...toJobDetails(row),
  subject: row.subject,
  blockchain: row.blockchain,
  participantId: row.participantId,
  sanctioned: row.sanctioned,
})

const insertJob = insertInto(jobs)
const jobById = byKey(jobs, 'id')
const jobByName = prepared((db) =>
  db
    .select()
    .from(jobs)
    .where(and(eq(jobs.kind, param('kind')), eq(jobs.externalId, param('externalId')))),
)
const updatePending = prepared((db) =>
  db
    .update(jobs)
    .set({
      status: param('status'),
      result: param('result'),
      sanctioned: param('sanctioned'),
      lastError: param('lastError'),
      attempts: param('attempts'),
      updatedAt: param('updatedAt'),
    })
    .where(and(eq(jobs.id, param('id')), eq(jobs.status, 'pending')))
    .returning({ id: jobs.id }),
)
const touch = updateBy(jobs, 'id', ['updatedAt'])
