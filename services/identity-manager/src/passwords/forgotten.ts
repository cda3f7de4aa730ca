import { asc, deleteBy, insertInto, newId, param, prepared, type Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { accountOf, addressOf, countAttempt } from '../logins/attempts'
import { resetText } from '../mail/mail-texts'
import { queueMail } from '../mail/mails'
import { createPasswordToken, resetMinutes } from '../password-tokens/password-tokens'
import { resetRequests } from '../password-tokens/password-tokens.table'
import { mailInvitation } from '../user-changes/invite-user'
import { emailKeyOf, findUserByEmail, type UserRow } from '../users/users'

const resetMs = resetMinutes * 60_000
/** Requests handled by one commit: few, so that other commits never wait long. */
const chunk = 50

/**
 * Records a forgotten password for an address. The writes and the answer are the same whether a user
 * has it or not. Fails (429) after five in five minutes.
 */
export async function requestReset(tx: Tx, email: string, address: string | null, now: Date): Promise<void> {
  const emailKey = emailKeyOf(email)
  await countAttempt(tx, [accountOf('mail', emailKey), ...addressOf('mail', address)], now)
  await insertRequest(tx).execute({ id: newId(now), emailKey, createdAt: now })
}

/** Mails a token for each request whose address belongs to a user; an invited user gets its invitation again. */
export async function answerResetRequests(deps: Pick<IdentityManagerDeps, 'store' | 'config' | 'seal' | 'now'>) {
  let more = true
  while (more) {
    more = await deps.store.commit(async (tx) => {
      const requests = await oldestRequests(tx).execute({ chunk })
      for (const { id, emailKey } of requests) {
        await mailToken(tx, deps, emailKey)
        await deleteRequest(tx).execute({ id })
      }
      return requests.length === chunk
    })
  }
}

async function mailToken(
  tx: Tx,
  { config, seal, now }: Pick<IdentityManagerDeps, 'config' | 'seal' | 'now'>,
  emailKey: string,
): Promise<void> {
  const user = await findUserByEmail(tx, emailKey)
  if (user?.status === 'INVITED') await mailInvitation(tx, { config, seal }, user, now())
  // A user without a password logs in through the provider: a password would survive the removal of its rights there.
  if (user?.status === 'ACTIVE' && user.passwordHash !== null) await mailReset(tx, { config, seal }, user, now())
}

/** Mails a user the link to set a new password. */
export async function mailReset(
  tx: Tx,
  { config, seal }: Pick<IdentityManagerDeps, 'config' | 'seal'>,
  user: UserRow,
  now: Date,
): Promise<void> {
  const token = await createPasswordToken(tx, { userId: user.id, kind: 'reset', lifeMs: resetMs }, now)
  const text = resetText(user.name, config.publicUrl, token, resetMinutes)
  const expiresAt = new Date(now.getTime() + resetMs)
  await queueMail(tx, seal, { recipient: user.email, ...text, expiresAt }, now)
}

const insertRequest = insertInto(resetRequests)
const oldestRequests = prepared((db) =>
  db.select().from(resetRequests).orderBy(asc(resetRequests.id)).limit(param('chunk')),
)
const deleteRequest = deleteBy(resetRequests, 'id')
