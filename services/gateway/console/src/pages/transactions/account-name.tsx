import { useQuery } from '../../api/query'
import { account, dataOf } from '../../api/services'
import { Id } from '../../ui/id'

const keptMs = 300_000

/** An account by its name and its customer's; by its id while that is not known. */
export function AccountName({ id, isPlain }: { id: string; isPlain?: boolean }) {
  const { data } = useQuery({
    queryKey: ['accounts', 'name', id],
    queryFn: ({ signal }) => dataOf(account.GET('/accounts/{id}', { params: { path: { id } }, signal })),
    staleTime: keptMs,
    retry: false,
  })
  const href = `/console/accounts/${id}`
  if (!data) return isPlain ? <Id value={id} isBare /> : <Id value={id} href={href} />
  const name = data.customerName ? `${data.customerName} · ${data.name}` : data.name
  if (isPlain) return <span title={id}>{name}</span>
  return (
    <a href={href} title={id}>
      {name}
    </a>
  )
}
