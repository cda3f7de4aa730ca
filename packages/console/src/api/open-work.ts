import { request } from './http'
import { useQuery } from './query'
import { useCan } from './session'

/** How many transactions of a type are in a status, and the oldest of them. */
export interface StatusCount {
  type: string
  status: string
  count: number
  oldestAt: string | null
  oldestId: string | null
}

/** Open work, read every half minute: the navigation and the overview share it. */
export function useOpenWork() {
  const isEnabled = useCan('read')
  return useQuery({
    queryKey: ['transactions', 'counts'],
    queryFn: () => request<StatusCount[]>('/core/v1/transactions/counts'),
    refetchInterval: 30_000,
    enabled: isEnabled,
  })
}

/** How many payments wait for a decision; 0 while unknown. */
export function useOpenReviews(): number {
  const { data = [] } = useOpenWork()
  return data.filter(({ status }) => status === 'FROZEN').reduce((sum, { count }) => sum + count, 0)
}
