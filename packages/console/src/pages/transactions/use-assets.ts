import { useQuery } from '../../api/query'
import { core, dataOf } from '../../api/services'

/** The ledger's assets; empty until they are read. */
export function useAssets() {
  const { data = [] } = useQuery({
    queryKey: ['core', 'assets'],
    queryFn: ({ signal }) => dataOf(core.GET('/assets', { signal })),
    staleTime: 60_000,
  })
  return data
}
