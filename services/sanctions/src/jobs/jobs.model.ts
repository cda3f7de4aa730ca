import { exampleIds } from '@bursar/contracts/examples'
import { AddressResult, jobStatuses, screeningKinds, TransactionResult } from '@bursar/contracts/sanctions'
import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { keysetQuery, queryBoolean, queryInteger, queryTime, queryUuid } from '@bursar/http'

/** A job as its creation returns it (spec 3, Sanctions job). */
export const Job = t.Object(
  {
    jobId: uuid(),
    externalId: about('The caller’s own id of the job', t.String()),
    status: about('`failed`: there is no result, and nothing may be approved', oneOf(jobStatuses)),
  },
  { title: 'SanctionsJob' },
)
export type Job = Static<typeof Job>

/** Not in the specification: a job with its outcome. */
export const JobDetails = t.Object(
  {
    ...Job.properties,
    kind: oneOf(screeningKinds),
    /** Null until it is completed. */
    result: nullable(t.Union([AddressResult, TransactionResult])),
    /** Why it failed; of a pending job, why the last attempt failed. */
    error: nullable(t.String()),
    attempts: t.Integer({ minimum: 0 }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'SanctionsJobDetails' },
)
export type JobDetails = Static<typeof JobDetails>

/** Not in the specification: a job as lists show it, with its sources' findings. */
export const JobEntry = t.Object(
  {
    ...JobDetails.properties,
    subject: about(
      'The address or the hash that was screened; empty for a transaction without an external party',
      t.String(),
    ),
    blockchain: about('Its network', t.String()),
    participantId: about(
      'The participant that requested it or owns the transaction; null for none',
      nullable(t.String()),
    ),
    sanctioned: about('Whether a source lists it; null without a result', nullable(t.Boolean())),
  },
  { title: 'SanctionsJobEntry' },
)
export type JobEntry = Static<typeof JobEntry>

/** GET /sanctions/jobs */
export const JobsQuery = t.Object({
  limit: queryInteger({ minimum: 0, maximum: 200, default: 50 }),
  transactionId: t.Optional(about('The screening of this transaction of the core ledger', queryUuid())),
  externalId: t.Optional(about('Jobs with this externalId', text(255))),
  address: t.Optional(about('Screenings of this address or hash, in upper or lower case', text(256))),
  kind: t.Optional(about('What was screened', oneOf(screeningKinds))),
  status: t.Optional(about('Only jobs with this status', oneOf(jobStatuses))),
  sanctioned: t.Optional(about('`true`: only those that a source lists', queryBoolean())),
  from: t.Optional(about('Created at this time or later', queryTime())),
  to: t.Optional(about('Created at this time or earlier', queryTime())),
  ...keysetQuery,
})
export type JobsQuery = Static<typeof JobsQuery>

export const ById = t.Object({ jobId: { ...uuid(), examples: [exampleIds.screeningJob] } })
