import { t } from '@bursar/contracts/schema'
import { callingParticipant, operation, response, totalHeader, totalText } from '@bursar/http'
import { Elysia } from 'elysia'
import type { SanctionsDeps } from '../deps'
import { jobList } from './find-jobs'
import { toJobEntry } from './jobs'
import { JobEntry, JobsQuery } from './jobs.model'
import { readResults } from './results'

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
