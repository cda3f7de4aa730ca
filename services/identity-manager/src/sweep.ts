import { every, type Loop } from '@bursar/store'
import type { IdentityManagerDeps } from './deps'
import { rotateWhenDue } from './keys/rotation'
import { deleteOldAttempts } from './logins/attempts'
import { deleteOldMails } from './mail/mails'
import { deleteOldPasswordTokens } from './password-tokens/password-tokens'
import { deleteOldChallenges } from './second-factor/challenges'
import { deleteOldPasskeyChallenges } from './second-factor/passkeys'
import { deleteOldRefreshTokens, deleteOldSessions } from './sessions/old-sessions'
import { deleteOldRevocations } from './sessions/revocations'
import { deleteOldLogIns } from './single-sign-on/log-ins'

const everyMs = 10 * 60_000

/** Rotates the keys when due, and deletes expired rows, every ten minutes. */
export const startSweeping = (deps: IdentityManagerDeps): Loop =>
  every(everyMs, (store) => sweep({ ...deps, store }), {
    log: deps.log,
    name: 'Rotating keys and deleting old rows',
    firstMs: 1000,
    alone: deps.store,
  })

const deletions = [
  deleteOldAttempts,
  deleteOldPasswordTokens,
  deleteOldChallenges,
  deleteOldPasskeyChallenges,
  deleteOldLogIns,
  deleteOldRevocations,
  deleteOldSessions,
  deleteOldRefreshTokens,
  deleteOldMails,
]

/** Runs one pass. */
export async function sweep(deps: IdentityManagerDeps): Promise<void> {
  const { store, now } = deps
  await rotateWhenDue(deps)
  for (const remove of deletions) {
    while (await store.commit((tx) => remove(tx, now()))) {
      // Many rows are deleted by many commits, so that others never wait long.
    }
  }
}
