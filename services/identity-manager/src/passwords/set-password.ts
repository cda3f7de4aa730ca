import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { refuse } from '../errors'
import { accountOf, forgiveAccount } from '../logins/attempts'
import { verifyOwnPassword } from '../logins/verify-counted'
import { passwordChangedText } from '../mail/mail-texts'
import { queueNotice } from '../mail/mails'
import { deletePasswordTokens, getPasswordToken, notValid } from '../password-tokens/password-tokens'
import type { TokenKind } from '../password-tokens/password-tokens.table'
import { endBegun } from '../second-factor/authenticators'
import { endSessionsOf } from '../sessions/sessions'
import { emailKeyOf, findUser, storeUser, type UserRow } from '../users/users'
import { passwordProblem } from './password-rules'

type SettingDeps = Pick<IdentityManagerDeps, 'store' | 'hashing' | 'seal' | 'now' | 'pause'>

/** The fields sent with a token. */
export interface NewPassword {
  token: string
  password: string
  /** Required for a token that the user requested itself. */
  currentPassword?: string
  /** For a registration: the user's new name, and the address, which must be the invited one. */
  registration?: { email: string; name: string }
}

/**
 * Checks and hashes a new password, and gives what the caller commits: it sets the password, once for each token; the user
 * becomes ACTIVE, and its sessions and its other tokens end. Both fail with 400 for a token that is not valid, the first
 * also for a password that may not be, with 401 for a wrong current password, and with 429 after five of these.
 */
export async function settingPassword(
  deps: SettingDeps,
  kinds: readonly TokenKind[],
  given: NewPassword,
): Promise<(tx: Tx) => Promise<UserRow>> {
  const { store, hashing, now } = deps
  const { token, password, registration } = given
  const { kind, userId } = await getPasswordToken(store.read, token, kinds, now())
  const user = usable(await findUser(store.read, userId), registration?.email)
  const problem = passwordProblem(password, [user.email, user.name])
  if (problem) throw refuse('password', problem)
  if (kind === 'change') await verifyOwnPassword(deps, user, given.currentPassword, 'currentPassword')
  const passwordHash = await hashing.hash(password)
  return async (tx) => {
    // Another request may have used the token, or changed the user, while this one hashed.
    await getPasswordToken(tx, token, kinds, now())
    const current = usable(await findUser(tx, userId), registration?.email)
    const row: UserRow = {
      ...current,
      name: registration?.name ?? current.name,
      status: 'ACTIVE',
      passwordHash,
      mustChangePassword: false,
      updatedAt: now(),
    }
    await storeUser(tx, row)
    await afterwards(tx, deps, row, kind)
    return row
  }
}

/** Whether the user may set a password: a disabled or deleted one may not. */
function usable(user: UserRow | undefined, email: string | undefined): UserRow {
  const isInvited = email === undefined || (user?.status === 'INVITED' && user.emailKey === emailKeyOf(email))
  if (!user || user.status === 'DISABLED' || !isInvited) throw notValid()
  return user
}

async function afterwards(tx: Tx, { seal, now }: SettingDeps, user: UserRow, kind: TokenKind): Promise<void> {
  await deletePasswordTokens(tx, user.id)
  await endBegun(tx, user.id)
  await endSessionsOf(tx, user.id, 'password', now())
  await forgiveAccount(tx, accountOf('login', user.emailKey))
  if (kind === 'invitation') return
  await queueNotice(tx, seal, { recipient: user.email, ...passwordChangedText(user.name) }, now())
}
