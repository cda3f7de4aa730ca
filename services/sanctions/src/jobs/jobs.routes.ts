import { t } from '@bursar/contracts/schema'
import { sealedHeaders } from '@bursar/contracts/webhook'
import {
  callingParticipant,
  idempotent,
  operation,
  ownKeyOf,
  type RepeatableContext,
  response,
  totalHeader,
  totalText,
} from '@bursar/http'
import { Elysia } from 'elysia'
import { callbackHeaderProblems } from '../callbacks/callback-headers'
import type { SanctionsDeps } from '../deps'
import { fail } from '../errors'
import { AddressJob, TransactionJob } from '../screening/screening.model'
import { jobList } from './find-jobs'
import { createJob, getJob, type NewJob, type ReadJob, toJob, toJobDetails, toJobEntry } from './jobs'
import { ById, Job, JobDetails, JobEntry, JobsQuery } from './jobs.model'
import { readResults } from './results'

const created = { 202: response(Job) }
const taken = {
  401: 'The API key or the identity is not valid',
  409: 'There is a job of this kind with this externalId',
}
const description =
  'The result is delivered to the webhook endpoints of the calling participant, with callbackHeaders: sanctions.completed, or sanctions.failed when the sources could not be reached for some time.'

/** Spec 3, Endpoints, Sanctions service: screenings whose result comes by webhook. */
export function jobRoutes(deps: SanctionsDeps) {
  const { store, now } = deps
  const once = idempotent(deps)
  const seal = deps.sealFor(sealedHeaders)

  /** Stores a job for the caller, and answers with it. */
  const create = (
    { request, set }: RepeatableContext,
    job: Omit<NewJob, 'participantId'>,
    headers: Record<string, unknown> = {},
  ) =>
    once({ request, set }, async (reply) => {
      const fields = callbackHeaderProblems(headers)
      if (fields.length > 0) throw fail('HEADERS_INVALID', { fields })
      const own = { ...job, participantId: await callingParticipant(deps, request) }
      const hasHeaders = Object.keys(headers).length > 0
      const sealHeaders = (jobId: string) => (hasHeaders ? seal.seal(JSON.stringify(headers), jobId) : null)
      return await store.commit(
        async (tx) => reply(tx, 202, toJob(await createJob(tx, own, sealHeaders, now()))),
        [ownKeyOf(request), job.externalId],
      )
    })

  return new Elysia({ prefix: '/sanctions', tags: ['Sanctions'] })
    .post(
      '/verify-address',
      ({ request, set, body: { address, callbackHeaders, ...job } }) =>
        create({ request, set }, { ...job, kind: 'address', subject: address.trim() }, callbackHeaders),
      {
        body: AddressJob,
        response: created,
        detail: operation('verifyAddress', 'Screen an address', { description, ...taken }),
      },
    )
    .post(
      '/verify-transaction',
      ({ request, set, body: { transactionId, callbackHeaders, ...job } }) =>
        create({ request, set }, { ...job, kind: 'transaction', subject: transactionId.trim() }, callbackHeaders),
      {
        body: TransactionJob,
        response: created,
        detail: operation('verifyTransaction', 'Screen a transaction by its parties', { description, ...taken }),
      },
    )
    .get(
      '/jobs/:jobId',
      async ({ request, params }) => {
        const job = await getJob(store.read, params.jobId, await callingParticipant(deps, request))
        const [read] = await readResults(store.read, [job])
        return toJobDetails(read as ReadJob)
      },
      {
        params: ById,
        response: { 200: response(JobDetails) },
        detail: operation('getSanctionsJob', 'Get a job with its result'),
      },
    )
}

/** Not in the specification: screenings with their evidence. */
export const jobListRoutes = (deps: Pick<SanctionsDeps, 'store' | 'identity' | 'client'>) =>
  new Elysia({ prefix: '/sanctions/jobs', tags: ['Sanctions'] }).get(
    '/',
    async ({ query: { limit, order = 'desc', after, count, ...filter }, request, set }) => {
      const { read } = deps.store
      const asked = { ...filter, participantId: await callingParticipant(deps, request) }
      const rows = await jobList.page(read, asked, { order, after, limit })
      if (count) set.headers[totalHeader] = totalText(await jobList.count(read, asked))
      return (await readResults(read, rows)).map(toJobEntry)
    },
    {
      query: JobsQuery,
      response: { 200: response(t.Array(JobEntry)) },
      detail: operation('listSanctionsJobs', 'List screening jobs with their sources’ findings', {
        description: 'Newest first by default. For the next page, `after` is the last jobId.',
        401: 'The API key or the identity is not valid',
      }),
    },
  )
