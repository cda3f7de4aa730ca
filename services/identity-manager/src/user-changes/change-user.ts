import type { UserChanges } from '@bursar/contracts/identity-manager'
import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { fail } from '../errors'
import { countMail } from '../logins/attempts'
import { addressChangedText } from '../mail/mail-texts'
import { queueNotice } from '../mail/mails'
import { deletePasswordTokens } from '../password-tokens/password-tokens'
import { accountsOf, unlinkAccountsOf } from '../provider-accounts/provider-accounts'
import { chooseRoles } from '../roles/roles'
import { removeSecondFactor } from '../second-factor/authenticators'
import { endSessionsOf } from '../sessions/sessions'
import { emailKeyOf, getUser, otherAdministrators, storeUser, type UserRow } from '../users/users'

type Changing = Pick<IdentityManagerDeps, 'seal'>

/**
 * Changes the given fields. New roles or a new status end the user's sessions; a new address ends the tokens that were
 * sent to the old one, which gets a notice. Fails (404) when there is no such user, (409) when the address is another's
 * or no administrator would be left, (429) when the old one has got five such mails within five minutes, (400) for roles that
 * its owner's users do not have.
 */
export async function changeUser(
  tx: Tx,
  { seal }: Changing,
  id: string,
  changes: UserChanges,
  now: Date,
): Promise<UserRow> {
  const before = await getUser(tx, id)
  const after = changed(before, { ...changes, status: await statusAfter(tx, before, changes.status) })
  const isSame = after.email === before.email && after.name === before.name
  const mayDo = after.status === before.status && sameRoles(after, before)
  if (isSame && mayDo) return before
  if (!isActiveAdministrator(after)) await keepOneAdministrator(tx, before)
  const row = { ...after, updatedAt: now }
  await storeUser(tx, row)
  if (!mayDo) await endSessionsOf(tx, id, 'user changed', now)
  if (row.emailKey !== before.emailKey) {
    await deletePasswordTokens(tx, id)
    await countMail(tx, before.emailKey, now)
    await queueNotice(tx, seal, { recipient: before.email, ...addressChangedText(before.name) }, now)
  }
  return row
}

/** Deletes a user: its sessions end, and its address is free. Fails (409) for the last administrator. */
export async function deleteUser(tx: Tx, id: string, now: Date): Promise<void> {
  const row = await getUser(tx, id)
  await keepOneAdministrator(tx, row)
  await storeUser(tx, { ...row, passwordHash: null, updatedAt: now, deletedAt: now })
  await endSessionsOf(tx, id, 'user deleted', now)
  await deletePasswordTokens(tx, id)
  await removeSecondFactor(tx, id)
  await unlinkAccountsOf(tx, id)
}

/** Made ACTIVE, a user that has no way to log in is invited again; one of the provider gets no mail that sets a password. */
async function statusAfter(
  tx: Tx,
  { id, status, passwordHash }: UserRow,
  wanted: UserChanges['status'],
): Promise<UserRow['status']> {
  if (wanted !== 'ACTIVE' || status === 'ACTIVE' || passwordHash !== null) return wanted ?? status
  return (await accountsOf(tx, id)).length > 0 ? 'ACTIVE' : 'INVITED'
}

function changed(
  before: UserRow,
  { email = before.email, name = before.name, roleIds, status }: Omit<UserChanges, 'status'> & Pick<UserRow, 'status'>,
): UserRow {
  const roles = roleIds ? chooseRoles({ ids: roleIds }, before) : before.roles
  return {
    ...before,
    email,
    emailKey: emailKeyOf(email),
    name,
    roles,
    isAdministrator: roles.includes('admin'),
    status,
  }
}

export const isLastAdministrator = async (tx: Tx, user: UserRow): Promise<boolean> =>
  isActiveAdministrator(user) && (await otherAdministrators(tx, user.id)) === 0

export const sameRoles = (one: Pick<UserRow, 'roles'>, other: Pick<UserRow, 'roles'>): boolean =>
  one.roles.length === other.roles.length && one.roles.every((name) => other.roles.includes(name))

const isActiveAdministrator = ({ isAdministrator, status }: UserRow): boolean => isAdministrator && status === 'ACTIVE'

async function keepOneAdministrator(tx: Tx, user: UserRow): Promise<void> {
  if (!(await isLastAdministrator(tx, user))) return
  throw fail('CONFLICT', { message: 'This is the last administrator; create another one first' })
}
