import { useQuery } from '../../api/query'
import { dataOf, identity } from '../../api/services'
import { can, useSession } from '../../api/session'
import { Id } from '../../ui/id'

export interface ActorValue {
  kind: 'user' | 'participant' | 'service' | 'anonymous'
  id: string
}

/** Who did it: `you`, a colleague's name, a service. */
export function Actor({ of }: { of: ActorValue | null }) {
  const session = useSession()
  const { data } = useQuery({
    queryKey: ['users', 'name', of?.id],
    queryFn: ({ signal }) =>
      dataOf(identity.GET('/users/usernames', { params: { query: { ids: of?.id ?? '' } }, signal })),
    staleTime: 300_000,
    retry: false,
    enabled: of?.kind === 'user' && of.id !== session.user.id && can(session, 'read'),
  })
  if (of === null) return <span class="none">an unknown caller</span>
  if (of.kind === 'user' && of.id === session.user.id) return <b>you</b>
  if (of.kind === 'service') return <b>{of.id}</b>
  const name = data?.data[0]?.name
  if (name) return <b title={of.id}>{name}</b>
  return (
    <span>
      {of.kind === 'participant' ? 'participant ' : 'user '}
      <Id value={of.id} isBare />
    </span>
  )
}
