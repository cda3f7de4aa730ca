import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { fail } from '../errors'
import { countMail } from '../logins/attempts'
import { mailReset } from '../passwords/forgotten'
import { endSessionsOf } from '../sessions/sessions'
import { mailInvitation } from '../user-changes/invite-user'
import { getUser, storeUser, type UserRow } from '../users/users'

/**
 * Makes a user choose a new password: it gets a mail for setting one, its sessions end, and until then the console
 * asks for one. An invited user gets its invitation again. Fails with 404, with 409 for a disabled user, and with 429 when it
 * has got five such mails within five minutes.
 */
export async function resetUser(
  tx: Tx,
  deps: Pick<IdentityManagerDeps, 'config' | 'seal'>,
  id: string,
  now: Date,
): Promise<UserRow> {
  const user = await getUser(tx, id)
  if (user.status === 'DISABLED') throw fail('CONFLICT', { message: 'The user is disabled' })
  await countMail(tx, user.emailKey, now)
  if (user.status === 'INVITED') {
    await mailInvitation(tx, deps, user, now)
    return user
  }
  const row = { ...user, mustChangePassword: user.passwordHash !== null, updatedAt: now }
  await storeUser(tx, row)
  await endSessionsOf(tx, id, 'user changed', now)
  await mailReset(tx, deps, row, now)
  return row
}
