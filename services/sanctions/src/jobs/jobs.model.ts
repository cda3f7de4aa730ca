import { exampleIds } from '@bursar/contracts/examples'
import { AddressResult, jobStatuses, screeningKinds, TransactionResult } from '@bursar/contracts/sanctions'
import { about, nullable, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'

/** A job as its creation answers it (spec 3, Sanctions job). */
export const Job = t.Object(
  {
    jobId: uuid(),
    externalId: about('The caller’s own name of the job', t.String()),
    status: about(
      'Whether its result is known; `failed`: nothing is known, and nothing may be approved',
      oneOf(jobStatuses),
    ),
  },
  { title: 'SanctionsJob' },
)
export type Job = Static<typeof Job>

/** Ours: a job with what came of it. */
export const JobDetails = t.Object(
  {
    ...Job.properties,
    kind: oneOf(screeningKinds),
    /** Null until it is completed. */
    result: nullable(t.Union([AddressResult, TransactionResult])),
    /** Why it failed, or why the last attempt did, which is repeated. */
    error: nullable(t.String()),
    attempts: t.Integer({ minimum: 0 }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'SanctionsJobDetails' },
)
export type JobDetails = Static<typeof JobDetails>

export const ById = t.Object({ jobId: { ...uuid(), examples: [exampleIds.screeningJob] } })
