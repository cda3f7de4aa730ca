import type { components } from '#types/sanctions'
import { useList } from '../../api/list'
import { useRead } from '../../api/read'
import { dataOf, pageOf, sanctions } from '../../api/services'
import { type FilterValues, givenFilters } from '../../format/filters'
import { usePeriod } from '../../ui/period-filter'

export type SanctionsList = components['schemas']['SanctionsList']
export type Job = components['schemas']['SanctionsJobEntry']
export type Source = components['schemas']['ScreeningSource']
export type AddressResult = components['schemas']['AddressResult']

export const useLists = () =>
  useRead(['sanctions-lists'], (signal) => sanctions.GET('/sanctions/lists', { signal }), { refetchInterval: 60_000 })

export const jobFilters = ['result', 'kind', 'address', 'transactionId', 'from', 'to'] as const
type JobFilters = FilterValues<(typeof jobFilters)[number]>

/** One choice on the page combines two filters of the service. */
const results = new Map<string, { status?: string; sanctioned?: string }>(
  Object.entries({
    hit: { sanctioned: 'true' },
    clear: { sanctioned: 'false' },
    pending: { status: 'pending' },
    failed: { status: 'failed' },
  }),
)

/** Screenings, the newest first. */
export function useJobs({ result, from, to, ...filters }: JobFilters) {
  const times = usePeriod({ from, to })
  return useList<Job>({
    key: ['screenings', result, filters, times],
    page(after, limit, signal) {
      const asked = {
        ...givenFilters(filters),
        ...results.get(result),
        ...times,
        after,
        limit,
        count: after === undefined,
      }
      // The URL may contain anything: the service refuses values that are not valid.
      return pageOf(sanctions.GET('/sanctions/jobs', { params: { query: asked as never }, signal }))
    },
    idOf: ({ jobId }) => jobId,
    everyMs: 15_000,
  })
}

/** One screening with its result. */
export const useJob = (jobId: string) =>
  useRead(
    ['screening', jobId],
    (signal) => sanctions.GET('/sanctions/jobs/{jobId}', { params: { path: { jobId } }, signal }),
    { refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 2000 : false) },
  )

/** The subject of a screening, which the list has even before there is a result. */
export const useSubject = (jobId: string, externalId: string | undefined) =>
  useRead(
    ['screening', jobId, 'subject'],
    (signal) => sanctions.GET('/sanctions/jobs', { params: { query: { externalId } as never }, signal }),
    {
      select: (jobs) => jobs.find((job) => job.jobId === jobId),
      staleTime: Number.POSITIVE_INFINITY,
      enabled: externalId !== undefined,
    },
  )

/** Screens an address now. The service watches it from then on. */
export const checkAddress = (address: string, blockchain: string): Promise<AddressResult> =>
  dataOf(sanctions.POST('/sanctions/verify-address/sync', { body: { address, blockchain } }))
