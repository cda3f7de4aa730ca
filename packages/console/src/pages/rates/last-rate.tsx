import { useQuery } from '../../api/query'
import { dataOf, quote } from '../../api/services'
import { Age } from '../../ui/time'
import { UsdRate } from './usd-rate'

/** The last stored rate of an asset, or its age. Both cells share one request. */
export function LastRate({ id, isAge = false }: { id: string; isAge?: boolean }) {
  const { data, error } = useQuery({
    queryKey: ['last-rate', id],
    queryFn: ({ signal }) =>
      dataOf(
        quote.GET('/rates/history/{assetId}', { params: { path: { assetId: id }, query: { points: 2 } }, signal }),
      ),
    refetchInterval: 120_000,
  })
  const last = data?.points.at(-1)
  if (!last && isAge) return null
  if (!last) return <span class="none">{data ? 'never asked' : error ? 'not known' : '…'}</span>
  return isAge ? <Age since={last.timestamp} /> : <UsdRate value={last.rate} />
}
