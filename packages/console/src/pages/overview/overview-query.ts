import { keepPreviousData } from '@tanstack/query-core'
import { useRead } from '../../api/read'
import { core } from '../../api/services'

const dayMs = 86_400_000

/** The first of this number of days up to today, in UTC as the service counts them. */
const firstDay = (days: number, now: number): string => new Date(now - (days - 1) * dayMs).toISOString().slice(0, 10)

/** Completed amounts per day and the balances, of the last days and of as many before them. */
export const useOverview = (days: number) =>
  useRead(
    ['overview', days],
    (signal) => {
      const query = { from: firstDay(2 * days, Date.now()), unpriced: 'skip' as const }
      return core.GET('/api/v1/core/overview/digital-assets', { params: { query }, signal })
    },
    // The old data stays while another range loads.
    { refetchInterval: 60_000, placeholderData: keepPreviousData },
  )

export type OverviewData = NonNullable<ReturnType<typeof useOverview>['data']>
