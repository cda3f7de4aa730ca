import { keepPreviousData } from '@tanstack/query-core'
import { useQuery } from '../../api/query'
import { core, dataOf } from '../../api/services'

const dayMs = 86_400_000

/** The first of this number of days up to today, in UTC as the service counts them. */
const firstDay = (days: number, now: number): string => new Date(now - (days - 1) * dayMs).toISOString().slice(0, 10)

/** Completed amounts per day and the balances, of the last days and of as many before them. */
export const useOverview = (days: number) =>
  useQuery({
    queryKey: ['overview', days],
    queryFn: ({ signal }) =>
      dataOf(
        core.GET('/api/v1/core/overview/digital-assets', {
          params: { query: { from: firstDay(2 * days, Date.now()), unpriced: 'skip' } },
          signal,
        }),
      ),
    refetchInterval: 60_000,
    // The old data stays while another range loads.
    placeholderData: keepPreviousData,
  })

export type OverviewData = NonNullable<ReturnType<typeof useOverview>['data']>
