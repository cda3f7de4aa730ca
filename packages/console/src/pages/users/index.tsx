import { useMemo, useState } from 'preact/hooks'
import { useOrganisations } from '../../api/organisations'
import { reread } from '../../api/query'
import { dataOf, identity } from '../../api/services'
import { useSession } from '../../api/session'
import { toWords } from '../../format/words'
import { Act, type ActInput } from '../../ui/act'
import { Button } from '../../ui/button'
import { type Column, DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { Choice, Field } from '../../ui/field'
import { Filters } from '../../ui/filters'
import { Options } from '../../ui/options'
import { Organisation } from '../../ui/organisations'
import { Page } from '../../ui/page'
import { Empty, ErrorNote } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { useFilters } from '../../ui/use-filters'
import { UserCard } from './user-card'
import { type Scope, scopeOf, type User, useRoles, useUsers } from './users-query'

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

const scopes: readonly (readonly [Scope, string])[] = [
  ['admin', 'Administration of Bursar'],
  ['participant', 'A participant institution'],
  ['custodian', 'A custodian bank'],
]

/** Administrators invite users of any organisation; the admins of an institution only its own. */
function InviteUser({ onClose }: { onClose(): void }) {
  const { user } = useSession()
  const own = scopeOf(user)
  const [scope, setScope] = useState<Scope>(own)
  const roles = useRoles(scope)
  const isForOthers = own === 'admin' && scope !== 'admin'
  const owners = useOrganisations(scope === 'custodian' ? 'custodian' : 'participant', isForOthers)
  const error = roles.error ?? owners.error
  const act = ({ text, headers }: ActInput) => {
    const owner = isForOthers ? { [`${scope}Id`]: text('owner') } : {}
    const body = { email: text('email'), name: text('name'), roleId: text('role'), ...owner }
    return dataOf(identity.POST('/users', { body, headers }))
  }
  return (
    <Act
      title="Invite a user"
      confirm="Invite"
      act={act}
      done={({ email }) => `The invitation to ${email} is on its way`}
      onDone={() => reread(['users'])}
      onClose={onClose}
    >
      <p>The user gets a mail with a link to set a password, which nobody else sees.</p>
      {error ? <ErrorNote error={error} /> : null}
      <Field label="Name" name="name" required maxLength={255} />
      <Field label="E-mail" name="email" type="email" required maxLength={254} />
      {own === 'admin' ? (
        <Choice label="Belongs to" value={scope} onChange={(event) => setScope(event.currentTarget.value as Scope)}>
          <Options of={scopes} />
        </Choice>
      ) : null}
      {isForOthers ? (
        <Choice label={scope === 'participant' ? 'Institution' : 'Bank'} name="owner" required>
          <Options of={owners.data} />
        </Choice>
      ) : null}
      <Choice label="Role" name="role" required hint={hints[scope]}>
        {roles.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {toWords(name)}
          </option>
        ))}
      </Choice>
    </Act>
  )
}

const hints: Record<Scope, string> = {
  admin: 'A viewer reads, an operator decides as well, an admin manages users and settings too.',
  participant: 'Users act for their institution; its admins manage its users and keys too.',
  custodian: 'Users read the records of their bank; its admins manage its users too.',
}
