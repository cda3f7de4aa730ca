import { useQuery } from '../../api/query'
import { dataOf, identity } from '../../api/services'
import { shorten } from '../../format/words'
import type { AuditAct } from './audit-query'

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The actor, by name if the identity manager knows it, and its roles. */
export function ActorName({ of: { actor, door, roles } }: { of: Pick<AuditAct, 'actor' | 'door' | 'roles'> }) {
  const name = useQuery({
    queryKey: ['user-name', actor],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const query = { params: { query: { ids: actor } }, signal }
      const { data } = await dataOf(identity.GET('/users/usernames', query))
      return data[0]?.name ?? null
    },
    enabled: isUuid.test(actor),
    staleTime: 300_000,
  })
  return (
    <>
      <b title={actor}>{name.data ?? shorten(actor)}</b>
      <span class="sub">
        {roles.length > 0 ? roles.join(', ') : door === 'start' ? 'at its start' : 'not logged in'}
      </span>
    </>
  )
}
