import { useState } from 'preact/hooks'
import { reread } from '../../api/query'
import { dataOf, identity } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { toWords } from '../../format/words'
import { Act, type ActInput } from '../../ui/act'
import { Button } from '../../ui/button'
import { Card, Facts, SidePanel } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { Choice, Field } from '../../ui/field'
import { Id } from '../../ui/id'
import { Organisation } from '../../ui/organisations'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { SessionList } from './session-list'
import { manages, scopeOf, type User, useProviderAccounts, useRoles } from './users-query'

/** One user: facts, acts and sessions. */
export function UserCard({ user, close }: { user: User; close(): void }) {
  const session = useSession()
  const [act, setAct] = useState<UserActName | null>(null)
  const isSelf = session.user.id === user.id
  const isManaged = manages(session, user)
  const isStaff = useCan('read')
  return (
    <SidePanel>
      <Card title={user.name} aside={<Button look="quiet" isSmall icon="cross" aria-label="Close" onClick={close} />}>
        <Facts
          of={[
            ['E-mail', user.email],
            ['Status', <Status value={user.status} />],
            ['Role', user.roles.map(toWords).join(', ') || 'None'],
            ['Belongs to', isStaff ? <Organisation of={user} /> : null],
            ['Password', user.mustChangePassword ? 'Must choose another' : null],
            ['Invited', <Time at={user.createdAt} isWhole />],
            ['Changed', <Time at={user.updatedAt} isWhole />],
            ['Id', <Id value={user.id} />],
          ]}
        />
        {isManaged ? (
          <div class="row">
            {actsFor(user, isSelf).map(([name, words]) => (
              <Button key={name} isSmall look={name === 'delete' ? 'danger' : 'plain'} onClick={() => setAct(name)}>
                {words}
              </Button>
            ))}
          </div>
        ) : null}
      </Card>
      {isManaged || isSelf ? <ProviderAccounts user={user} mayTake={isManaged && !isSelf} /> : null}
      {isManaged || isSelf ? (
        <Card title="Sessions">
          <SessionList userId={user.id} />
        </Card>
      ) : null}
      {act ? <UserAct name={act} user={user} onClose={() => setAct(null)} onDeleted={close} /> : null}
    </SidePanel>
  )
}

/** Users cannot remove their own role or access: another administrator must. */
function actsFor({ status }: User, isSelf: boolean): (readonly [UserActName, string])[] {
  const acts: (readonly [UserActName, string])[] = [['rename', 'Rename']]
  if (isSelf) return acts
  acts.push(['role', 'Change role'])
  if (status === 'INVITED') acts.push(['reset', 'Send the invitation again'])
  if (status === 'ACTIVE')
    acts.push(['reset', 'Reset password'], ['second-factor', 'Remove second factor'], ['log-out', 'Log out everywhere'])
  acts.push(status === 'DISABLED' ? ['enable', 'Enable'] : ['disable', 'Disable'], ['delete', 'Delete'])
  return acts
}

/** A user's accounts at log-in providers (single sign-on); renders nothing if there is none. */
function ProviderAccounts({ user, mayTake }: { user: User; mayTake: boolean }) {
  const { data: accounts = [] } = useProviderAccounts(user.id)
  if (accounts.length === 0) return null
  return (
    <Card title="Single sign-on">
      {accounts.map(({ issuer, subject, createdAt, lastUsedAt }) => (
        <Facts
          key={issuer}
          of={[
            ['Provider', issuer],
            ['Account', subject],
            ['Since', <Time at={createdAt} isWhole />],
            ['Last log-in', <Time at={lastUsedAt} isWhole />],
          ]}
        />
      ))}
      {mayTake ? (
        <div class="row">
          <DialogButton isSmall dialog={(close) => <TakeAway user={user} onClose={close} />}>
            Unlink the account
          </DialogButton>
        </div>
      ) : null}
    </Card>
  )
}

const TakeAway = ({ user, onClose }: { user: User; onClose(): void }) => (
  <Act
    title={`Unlink the provider account of ${user.name}?`}
    confirm="Unlink"
    look="danger"
    act={() => dataOf(identity.DELETE('/users/{userId}/provider-accounts', { params: { path: { userId: user.id } } }))}
    done={`${user.name} no longer has a provider account`}
    onDone={() => reread(['provider-accounts'], ['sessions'])}
    onClose={onClose}
  >
    <p>
      All sessions end. The next log-in through the provider looks for the user again, by its address where the settings
      allow that. To shut the user out, disable it.
    </p>
  </Act>
)

type UserActName = 'rename' | 'role' | 'reset' | 'second-factor' | 'log-out' | 'disable' | 'enable' | 'delete'

interface ActProps {
  user: User
  onClose(): void
  onDeleted(): void
}

const readAgain = (): void => {
  reread(['users'], ['sessions'])
}

/** The dialog of an act on a user. */
function UserAct({ name, ...props }: ActProps & { name: UserActName }) {
  if (name === 'rename') return <Rename {...props} />
  if (name === 'role') return <ChangeRole {...props} />
  return <PlainAct name={name} {...props} />
}

const pathOf = ({ id }: User) => ({ params: { path: { userId: id } } })
const change = (user: User, body: { name?: string; roleId?: string; status?: 'ACTIVE' | 'DISABLED' }) =>
  identity.PUT('/users/{userId}', { ...pathOf(user), body })

function Rename({ user, onClose }: ActProps) {
  return (
    <Act
      title={`Rename ${user.name}`}
      confirm="Rename"
      act={({ text }) => change(user, { name: text('name') })}
      done="The name is changed"
      onDone={readAgain}
      onClose={onClose}
    >
      <Field label="Name" name="name" defaultValue={user.name} required maxLength={255} />
    </Act>
  )
}

function ChangeRole({ user, onClose }: ActProps) {
  const roles = useRoles(scopeOf(user))
  return (
    <Act
      title={`Change the role of ${user.name}`}
      confirm="Change role"
      act={({ text }) => change(user, { roleId: text('role') })}
      done="The role is changed"
      onDone={readAgain}
      onClose={onClose}
    >
      <p>All sessions of {user.name} end: the next log-in has the new role.</p>
      <Choice
        label="Role"
        name="role"
        required
        defaultValue={roles.data?.find(({ name }) => user.roles.includes(name))?.id}
      >
        {roles.data?.map(({ id, name }) => (
          <option key={id} value={id} selected={user.roles.includes(name)}>
            {toWords(name)}
          </option>
        ))}
      </Choice>
    </Act>
  )
}

interface Plain {
  title(user: User): string
  confirm: string
  look?: 'danger'
  what(user: User): string
  done(user: User): string
  act(user: User, input: ActInput): Promise<unknown>
}

const isInvited = ({ status }: User): boolean => status === 'INVITED'

/** Acts without further fields. */
const plain: Record<Exclude<UserActName, 'rename' | 'role'>, Plain> = {
  reset: {
    title: (user) => (isInvited(user) ? `Invite ${user.name} again?` : `Reset the password of ${user.name}?`),
    confirm: 'Send the mail',
    what: (user) =>
      isInvited(user)
        ? `Another mail with a link goes to ${user.email}. Earlier links work until they expire.`
        : `A mail with a link goes to ${user.email}; it works for ten minutes. All sessions of the user end. The present password still opens the console, which asks for a new one first.`,
    done: ({ email }) => `The mail to ${email} is on its way`,
    act: ({ id }, { headers }) =>
      identity.POST('/users/{userId}/password-reset', { params: { path: { userId: id }, header: headers } }),
  },
  'second-factor': {
    title: ({ name }) => `Remove the second factor of ${name}?`,
    confirm: 'Remove',
    look: 'danger',
    what: ({ name }) =>
      `For one that was lost: be sure that it is ${name} who asks. The authenticator, the passkeys and the recovery codes are void, and all sessions end. The password alone logs in until a second factor is set up again.`,
    done: ({ name }) => `${name} no longer has a second factor`,
    act: (user) => identity.POST('/users/{userId}/mfa-reset', pathOf(user)),
  },
  'log-out': {
    title: ({ name }) => `Log ${name} out everywhere?`,
    confirm: 'Log out everywhere',
    look: 'danger',
    what: () => 'All sessions end within five seconds, in browsers and in programs. The user can log in again.',
    done: ({ name }) => `All sessions of ${name} have ended`,
    act: (user) => identity.DELETE('/users/{userId}/sessions', pathOf(user)),
  },
  disable: {
    title: ({ name }) => `Disable ${name}?`,
    confirm: 'Disable',
    look: 'danger',
    what: () =>
      'The user cannot log in any more, and all sessions end. The history stays as it is. You can enable the user again.',
    done: ({ name }) => `${name} is disabled`,
    act: (user) => change(user, { status: 'DISABLED' }),
  },
  enable: {
    title: ({ name }) => `Enable ${name}?`,
    confirm: 'Enable',
    what: () => 'The user can log in again, with the same password and role as before.',
    done: ({ name }) => `${name} can log in again`,
    act: (user) => change(user, { status: 'ACTIVE' }),
  },
  delete: {
    title: ({ name }) => `Delete ${name}?`,
    confirm: 'Delete',
    look: 'danger',
    what: ({ email }) => `This cannot be undone. All sessions end, and ${email} can be invited again as a new user.`,
    done: ({ name }) => `${name} is deleted`,
    act: (user) => identity.DELETE('/users/{userId}', pathOf(user)),
  },
}

function PlainAct({ name, user, onClose, onDeleted }: ActProps & { name: keyof typeof plain }) {
  const { title, confirm, look, what, done, act } = plain[name]
  return (
    <Act
      title={title(user)}
      confirm={confirm}
      look={look}
      act={(input) => act(user, input)}
      done={done(user)}
      onDone={() => {
        readAgain()
        if (name === 'delete') onDeleted()
      }}
      onClose={onClose}
    >
      <p>{what(user)}</p>
    </Act>
  )
}
