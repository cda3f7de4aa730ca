import { reread } from '../../api/query'
import { identity } from '../../api/services'
import { toWords } from '../../format/words'
import { Act, type ActInput } from '../../ui/act'
import { Choice, Field } from '../../ui/field'
import { scopeOf, type User, useRoles } from './users-query'

export type UserActName = 'rename' | 'role' | 'reset' | 'second-factor' | 'log-out' | 'disable' | 'enable' | 'delete'

interface ActProps {
  user: User
  onClose(): void
  onDeleted(): void
}

const readAgain = (): void => {
  reread(['users'], ['sessions'])
}

/** The dialog of an act on a user. */
export function UserAct({ name, ...props }: ActProps & { name: UserActName }) {
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
