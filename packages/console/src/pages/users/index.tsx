import { useMemo } from 'preact/hooks'
import { useSession } from '../../api/session'
import { toWords } from '../../format/words'
import { Button } from '../../ui/button'
import { type Column, DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { Filters } from '../../ui/filters'
import { Organisation } from '../../ui/organisations'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { useFilters } from '../../ui/use-filters'
import { InviteUser } from './invite-user'
import { UserCard } from './user-card'
import { scopeOf, type User, useUsers } from './users-query'

const rolesOf = {
  admin: ['admin', 'operator', 'viewer', 'participant-admin', 'participant-user', 'custodian-admin', 'custodian-user'],
  participant: ['participant-admin', 'participant-user'],
  custodian: ['custodian-admin', 'custodian-user'],
}

/** An institution's own people all belong to it. */
const columnsOf = (isAdmin: boolean, isBeside: boolean): readonly Column<User>[] =>
  columns.filter(({ head }) => (isAdmin || head !== 'Belongs to') && !(isBeside && head === 'Since'))

const columns: readonly Column<User>[] = [
  {
    head: 'Name',
    narrow: 'lead',
    isWide: true,
    cell: ({ name, email }) => (
      <>
        <strong>{name}</strong>
        <span class="sub">{email}</span>
      </>
    ),
  },
  { head: 'Role', narrow: 'sub', cell: ({ roles }) => roles.map(toWords).join(', ') },
  { head: 'Belongs to', cell: (user) => <Organisation of={user} /> },
  {
    head: 'Status',
    narrow: 'end',
    cell: ({ status, mustChangePassword }) => (
      <>
        <Status value={status} /> {mustChangePassword ? <Badge tone="wait">Must change password</Badge> : null}
      </>
    ),
  },
  { head: 'Since', narrow: 'hide', needsRoom: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The users: invite, change roles, disable, end sessions. The URL contains the chosen user. */
export default function Users() {
  const { user } = useSession()
  const filters = useFilters(['q', 'status', 'role', 'user'])
  const { user: chosenId, ...values } = filters.values
  const list = useUsers(values)
  const chosen = list.rows?.find(({ id }) => id === chosenId)
  const scope = scopeOf(user)
  const isBeside = chosen !== undefined
  const columns = useMemo(() => columnsOf(scope === 'admin', isBeside), [scope, isBeside])
  return (
    <Page
      title="Users"
      actions={
        <DialogButton look="main" icon="plus" dialog={(close) => <InviteUser onClose={close} />}>
          Invite a user
        </DialogButton>
      }
    >
      <Filters
        label="Filter users"
        of={{ ...filters, hasAny: Object.values(values).some(Boolean) }}
        fields={[
          { kind: 'text', name: 'q', label: 'Name or address', isWide: true },
          { kind: 'choice', name: 'status', label: 'Status', options: ['ACTIVE', 'INVITED', 'DISABLED'] },
          { kind: 'choice', name: 'role', label: 'Role', options: rolesOf[scope] },
        ]}
      />
      <div class={chosen ? 'columns is-side' : 'columns'}>
        <DataTable
          label="Users"
          columns={columns}
          list={list}
          onSelect={({ id }) => filters.set('user', id)}
          selectedId={chosenId}
          empty={
            <Empty icon="users" title="No user matches these filters">
              {Object.values(values).some(Boolean) ? (
                <Button onClick={filters.clear}>Clear the filters</Button>
              ) : (
                <p>Invite the first one: they get a mail with a link to set their password.</p>
              )}
            </Empty>
          }
        />
        {chosen ? <UserCard key={chosen.id} user={chosen} close={() => filters.set('user', '')} /> : null}
      </div>
    </Page>
  )
}
