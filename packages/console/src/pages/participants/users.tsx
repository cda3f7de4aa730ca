import { useRead } from '../../api/read'
import { main } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { toWords } from '../../format/words'
import { Card } from '../../ui/card'
import { Loaded } from '../../ui/states'
import { Status } from '../../ui/status'

const mostShown = 20

/** The users of an institution. */
export function InstitutionUsers({ id }: { id: string }) {
  const { user } = useSession()
  const canManage = useCan('manage') || user.roles.includes('participant-admin')
  const users = useRead(['users', 'of', id], (signal) =>
    main.GET('/participants/{id}/users', { params: { path: { id }, query: { limit: mostShown } }, signal }),
  )
  return (
    <Card title="People" aside={canManage ? <a href="/console/users">Users</a> : null}>
      <Loaded of={users} lines={2}>
        {({ data, pageInfo }) =>
          data.length === 0 ? (
            <p class="hint">Nobody yet.</p>
          ) : (
            <ul class="rows people">
              {data.map(({ id, name, email, status, roles }) => (
                <li key={id} class="ends">
                  <div>
                    <b>{name}</b>
                    <span class="hint">{email}</span>
                    <span class="hint">{roles.map(toWords).join(', ')}</span>
                  </div>
                  <Status value={status} tone={status === 'INVITED' ? 'wait' : undefined} />
                </li>
              ))}
              {pageInfo.total > data.length ? <li class="hint">and {pageInfo.total - data.length} more</li> : null}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
