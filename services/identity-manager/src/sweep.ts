import { every, type Loop } from '@bursar/store'
import type { IdentityManagerDeps } from './deps'
import { rotateWhenDue } from './keys/rotation'
import { deleteOldAttempts } from './logins/attempts'
import { deleteOldMails } from './mail/mails'
import { deleteOldPasswordTokens } from './password-tokens/password-tokens'
import { deleteOldChallenges } from './second-factor/challenges'
import { deleteOldPasskeyChallenges } from './second-factor/passkeys'
import { deleteOldSessions } from './sessions/old-sessions'
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

/** Runs one pass. */
export async function sweep(deps: IdentityManagerDeps): Promise<void> {
  const { store, now } = deps
  await rotateWhenDue(deps)
  await store.commit((tx) => deleteOldAttempts(tx, now()))
  await store.commit((tx) => deleteOldPasswordTokens(tx, now()))
  await store.commit((tx) => deleteOldChallenges(tx, now()))
  await store.commit((tx) => deleteOldPasskeyChallenges(tx, now()))
  await store.commit((tx) => deleteOldLogIns(tx, now()))
  for (const remove of [deleteOldRevocations, deleteOldSessions, deleteOldMails]) {
    while (await store.commit((tx) => remove(tx, now()))) {
      // A commit deletes some hundreds of rows, so that other commits never wait long.
    }
  }
}
