import { useRead } from './read'
import { core } from './services'
import { useCan } from './session'

/** Open work with the oldest of it, read every half minute: the navigation and the overview share it. */
export function useOpenWork() {
  const isEnabled = useCan('read')
  return useRead(['transactions', 'open'], (signal) => core.GET('/transactions/open', { signal }), {
    refetchInterval: 30_000,
    enabled: isEnabled,
  })
}

export type OpenWork = NonNullable<ReturnType<typeof useOpenWork>['data']>

/** How many payments wait for a decision; 0 while unknown. */
export function useOpenReviews(): number {
  const { data } = useOpenWork()
  const frozen = data?.counts.filter(({ status }) => status === 'FROZEN') ?? []
  return frozen.reduce((sum, { count }) => sum + count, 0)
}
