import type { RoleName } from '@bursar/contracts/identity-manager'
import type { SignOn, SignOnRefused } from '@bursar/contracts/single-sign-on'
import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { hasEnded } from '../institutions/institutions'
import { providerLinkedText } from '../mail/mail-texts'
import { queueNotice } from '../mail/mails'
import { deletePasswordTokens } from '../password-tokens/password-tokens'
import { findAccount, linkAccount, noteUse } from '../provider-accounts/provider-accounts'
import { endSessionsOf } from '../sessions/sessions'
import { isLastAdministrator, sameRoles } from '../user-changes/change-user'
import { emailKeyOf, findUser, findUserByEmail, insertUser, newUser, storeUser, type UserRow } from '../users/users'
import { type Person, rolesFor } from './claims'
import type { SingleSignOn } from './settings'

/** Why a person known to the provider is refused. */
export type Refusal = 'no user' | 'no role' | 'last administrator'

/** A refusal, with the user that the person is, and what changed. */
export interface Refused extends Pick<SignOnRefused, 'userId' | 'rolesBefore'> {
  why: Refusal
}

/** The admitted user, and what changed. */
export interface Admitted extends Pick<SignOn, 'account' | 'rolesBefore'> {
  user: UserRow
}

type AdmitDeps = Pick<IdentityManagerDeps, 'seal' | 'now'>

/**
 * The user of a person at the provider, with the roles of its token. It is found by the provider's identifier for it;
 * the first time by its verified address, or created, if the settings allow that. A refusal does not throw: roles that
 * the token lacks are removed with it.
 */
export async function admit(
  tx: Tx,
  deps: AdmitDeps,
  settings: SingleSignOn,
  person: Person,
): Promise<Admitted | Refused> {
  const account = await findAccount(tx, person.account)
  const known = account && (await findUser(tx, account.userId))
  if (known) return await admitKnown(tx, deps, settings, person, known)
  const named = person.email === null ? undefined : await findUserByEmail(tx, emailKeyOf(person.email))
  if (named) return await admitNamed(tx, deps, settings, person, named)
  return settings.createsUsers && person.email !== null
    ? await admitNew(tx, deps, settings, { ...person, email: person.email })
    : { why: 'no user' }
}

async function admitKnown(
  tx: Tx,
  { now }: AdmitDeps,
  settings: SingleSignOn,
  person: Person,
  user: UserRow,
): Promise<Admitted | Refused> {
  const userId = user.id
  if (!(await mayCome(tx, user))) return { why: 'no user', userId }
  const roles = rolesFor(person, user, settings)
  if (!roles.includes('admin') && (await isLastAdministrator(tx, user))) {
    await endSessionsOf(tx, user.id, 'user changed', now())
    return { why: 'last administrator', userId }
  }
  const after = await withRoles(tx, user, roles, now())
  if (roles.length === 0) return { why: 'no role', userId, rolesBefore: user.roles }
  await noteUse(tx, person.account, now())
  return { user: after, account: 'known', rolesBefore: user.roles }
}

/** The user does not change before the account is linked: claiming an address must not remove roles. */
async function admitNamed(
  tx: Tx,
  { seal, now }: AdmitDeps,
  settings: SingleSignOn,
  person: Person,
  user: UserRow,
): Promise<Admitted | Refused> {
  if (!settings.linksByEmail || !person.isEmailVerified || !(await mayCome(tx, user))) return { why: 'no user' }
  const roles = rolesFor(person, user, settings)
  if (roles.length === 0) return { why: 'no role' }
  if (!roles.includes('admin') && (await isLastAdministrator(tx, user))) return { why: 'last administrator' }
  if (!(await linkAccount(tx, person.account, user.id, now()))) return { why: 'no user' }
  await deletePasswordTokens(tx, user.id)
  await queueNotice(tx, seal, { recipient: user.email, ...providerLinkedText(user.name, settings.name) }, now())
  return { user: await withRoles(tx, user, roles, now()), account: 'linked', rolesBefore: user.roles }
}

async function admitNew(
  tx: Tx,
  { now }: AdmitDeps,
  settings: SingleSignOn,
  person: Person & { email: string },
): Promise<Admitted | Refused> {
  const owner = { participantId: person.participantId ?? null, custodianId: null }
  const roles = rolesFor(person, owner, settings)
  if (roles.length === 0) return { why: 'no role' }
  if (await hasEnded(tx, owner.participantId)) return { why: 'no user' }
  const at = now()
  const { email, name } = person
  const user = newUser({ email, name: name ?? email, status: 'ACTIVE', roles, ...owner }, at)
  await insertUser(tx, user)
  await linkAccount(tx, person.account, user.id, at)
  return { user, account: 'created', rolesBefore: [] }
}

/** An invited user becomes active by this as by its first password. */
const mayCome = async (tx: Tx, { status, participantId }: UserRow): Promise<boolean> =>
  status !== 'DISABLED' && !(await hasEnded(tx, participantId))

/** Gives the user the roles of its token. A change ends its sessions, like an administrator's change. */
async function withRoles(tx: Tx, before: UserRow, roles: RoleName[], now: Date): Promise<UserRow> {
  const isSame = sameRoles({ roles }, before)
  const status = roles.length > 0 ? 'ACTIVE' : before.status
  if (isSame && before.status === status) return before
  const user: UserRow = {
    ...before,
    roles,
    isAdministrator: roles.includes('admin'),
    status,
    updatedAt: now,
  }
  await storeUser(tx, user)
  if (!isSame) await endSessionsOf(tx, user.id, 'user changed', now)
  return user
}
