import { gathered } from './gathered'
import { request } from './http'
import { keptMs, useQuery } from './query'
import { useCan } from './session'

/** Whose an account or a customer is, by name (GET /console/api/owners); null where there is none. */
interface RecordOwner {
  id: string
  accountName: string | null
  customerId: string | null
  customerName: string | null
  participantId: string | null
  institutionName: string | null
}

const ask = (kind: 'accounts' | 'customers') =>
  gathered(async (ids) => {
    const found = await request<RecordOwner[]>('/owners', { query: { [kind]: ids.join(',') } })
    return new Map(found.map((owner) => [owner.id, owner]))
  })
const asked = { accounts: ask('accounts'), customers: ask('customers') }

/** For staff. The owners on a page share one request. */
export function useOwner(kind: keyof typeof asked, id: string | null | undefined) {
  const isStaff = useCan('read')
  return useQuery({
    queryKey: ['owner', kind, id],
    queryFn: () => asked[kind](id ?? ''),
    staleTime: keptMs,
    enabled: isStaff && Boolean(id),
    retry: false,
  })
}
