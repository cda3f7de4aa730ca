import type { RoleName } from '@bursar/contracts/identity-manager'
import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { refuse } from '../errors'
import { countMail } from '../logins/attempts'
import { invitationText } from '../mail/mail-texts'
import { queueMail } from '../mail/mails'
import { createPasswordToken } from '../password-tokens/password-tokens'
import { chooseRoles, type Owner } from '../roles/roles'
import { insertUser, newUser, type UserRow } from '../users/users'

/** A user to invite. */
export interface Invited extends Owner {
  email: string
  name: string
  roles: { ids?: readonly string[] | undefined; names?: readonly RoleName[] | undefined }
}

/** The dependencies of an invitation. */
type Inviting = Pick<IdentityManagerDeps, 'config' | 'seal'>

const dayMs = 24 * 60 * 60 * 1000

/**
 * Stores a user that has no password yet, and the mail with the token that sets it. Fails (409) when the address is
 * taken, (429) when it has got five such mails within five minutes, and (400) for roles that its owner's users do not have.
 */
export async function inviteUser(tx: Tx, inviting: Inviting, input: Invited, now: Date): Promise<UserRow> {
  const { email, name, participantId, custodianId } = input
  if (participantId !== null && custodianId !== null) {
    throw refuse('custodianId', 'must be null for a user of a participant')
  }
  const roles = chooseRoles(input.roles, input)
  const row = newUser({ email, name, status: 'INVITED', roles, participantId, custodianId }, now)
  await insertUser(tx, row)
  await countMail(tx, row.emailKey, now)
  await mailInvitation(tx, inviting, row, now)
  return row
}

/** Sends a user that has no password yet a token that sets it; those of earlier mails stay valid. */
export async function mailInvitation(tx: Tx, { config, seal }: Inviting, user: UserRow, now: Date): Promise<void> {
  const { invitationDays, publicUrl } = config
  const lifeMs = invitationDays * dayMs
  const token = await createPasswordToken(tx, { userId: user.id, kind: 'invitation', lifeMs }, now)
  const text = invitationText(user.name, publicUrl, token, invitationDays)
  await queueMail(tx, seal, { recipient: user.email, ...text, expiresAt: new Date(now.getTime() + lifeMs) }, now)
}
