import { useState } from 'preact/hooks'
import { useOrganisations } from '../../api/organisations'
import { reread } from '../../api/query'
import { dataOf, identity } from '../../api/services'
import { useSession } from '../../api/session'
import { toWords } from '../../format/words'
import { Act, type ActInput } from '../../ui/act'
import { Choice, Field } from '../../ui/field'
import { Options } from '../../ui/options'
import { ErrorNote } from '../../ui/states'
import { type Scope, scopeOf, useRoles } from './users-query'

const scopes: readonly (readonly [Scope, string])[] = [
  ['admin', 'Administration of Bursar'],
  ['participant', 'A participant institution'],
  ['custodian', 'A custodian bank'],
]

/** Administrators invite users of any organisation; the admins of an institution only its own. */
export function InviteUser({ onClose }: { onClose(): void }) {
  const { user } = useSession()
  const own = scopeOf(user)
  const [scope, setScope] = useState<Scope>(own)
  const roles = useRoles(scope)
  const isForOthers = own === 'admin' && scope !== 'admin'
  const owners = useOrganisations(scope === 'custodian' ? 'custodian' : 'participant', isForOthers)
  const error = roles.error ?? owners.error
  const act = async ({ form, text, headers }: ActInput) => {
    const owner = isForOthers ? { [`${scope}Id`]: text('owner') } : {}
    const [email, name, roleId] = ['email', 'name', 'role'].map((field) => String(form.get(field)).trim())
    const body = { email: email ?? '', name: name ?? '', roleId: roleId ?? '', ...owner }
    return await dataOf(identity.POST('/users', { body, headers }))
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
