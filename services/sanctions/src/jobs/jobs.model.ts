import { exampleIds } from '@bursar/contracts/examples'
import { AddressResult, jobStatuses, screeningKinds, TransactionResult } from '@bursar/contracts/sanctions'
import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { keysetQuery, queryBoolean, queryInteger, queryTime, queryUuid } from '@bursar/http'

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

/** Ours: a job as lists show it, with all that its sources found. */
export const JobEntry = t.Object(
  {
    ...JobDetails.properties,
    subject: about(
      'The address or the hash that was screened; empty for a transaction without a party outside',
      t.String(),
    ),
    blockchain: about('The network that it is on', t.String()),
    participantId: about('Who asked for it, or whose transaction it is; null for nobody’s', nullable(t.String())),
    sanctioned: about('Whether a source has it; null while nothing is known', nullable(t.Boolean())),
  },
  { title: 'SanctionsJobEntry' },
)
export type JobEntry = Static<typeof JobEntry>

/** GET /sanctions/jobs */
export const JobsQuery = t.Object({
  limit: queryInteger({ minimum: 0, maximum: 200, default: 50 }),
  transactionId: t.Optional(about('The screening of this transaction of the core ledger', queryUuid())),
  externalId: t.Optional(about('Jobs that their callers named so', text(255))),
  address: t.Optional(about('Screenings of this address or hash, in any case', text(256))),
  kind: t.Optional(about('What was screened', oneOf(screeningKinds))),
  status: t.Optional(about('Whether its result is known', oneOf(jobStatuses))),
  sanctioned: t.Optional(about('`true`: only those that a source has', queryBoolean())),
  from: t.Optional(about('Created at this time or later', queryTime())),
  to: t.Optional(about('Created at this time or earlier', queryTime())),
  ...keysetQuery,
})
export type JobsQuery = Static<typeof JobsQuery>

export const ById = t.Object({ jobId: { ...uuid(), examples: [exampleIds.screeningJob] } })
