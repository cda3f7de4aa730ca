import { useQuery } from '../../api/query'
import { dataOf, main } from '../../api/services'
import { useCan } from '../../api/session'
import { Id } from '../../ui/id'
import { type User, useOwners } from './users-query'

/** The organisation of a user: the administration, an institution by its name, or a custodian bank. */
export function Owner({ of: { participantId, custodianId } }: { of: Pick<User, 'participantId' | 'custodianId'> }) {
  if (participantId !== null) return <Participant id={participantId} />
  if (custodianId !== null) return <Custodian id={custodianId} />
  return <span>Administration</span>
}

function Participant({ id }: { id: string }) {
  const mayRead = useCan('read')
  const { data } = useQuery({
    queryKey: ['pfi', id],
    queryFn: ({ signal }) => dataOf(main.GET('/admin/pfi/{id}', { params: { path: { id } }, signal })),
    enabled: mayRead,
    retry: false,
    staleTime: 300_000,
  })
  return data ? <a href={`/console/participants/${id}`}>{data.name}</a> : <Id value={id} isBare />
}

function Custodian({ id }: { id: string }) {
  const { data } = useOwners('custodian', true)
  const name = data?.find((custodian) => custodian.id === id)?.name
  return name ? <span title={id}>{name}</span> : <Id value={id} isBare />
}
