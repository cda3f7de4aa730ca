import { join } from 'node:path'
import { type ChunkPlace, inChunks, noteRun, type Tx, wasSetBack } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { rotateNow } from '../keys/rotation'
import { passwordTokens } from '../password-tokens/password-tokens.table'
import { providerLogIns } from '../provider-accounts/single-sign-on.table'
import { loginChallenges, passkeyChallenges } from '../second-factor/second-factor.table'
import { endSession, openSessionsAfter } from './sessions'

/** Beside the database, and not in backups: the last run. */
const runFileName = 'identity.run'

type RestoreDeps = Pick<IdentityManagerDeps, 'store' | 'config' | 'seal' | 'now' | 'log'>

/**
 * Ends every session, and revokes every access token, when the database was restored from an older backup, where
 * sessions are live that have ended since. All users must log in again. What sets a password or goes on with a log-in
 * once is void as well: it may have been used since. An invited user gets another invitation as for a forgotten password.
 */
export async function endSessionsOfBackup(deps: RestoreDeps): Promise<void> {
  const { store, config, log } = deps
  const file = join(config.dataDir, runFileName)
  if (await wasSetBack(store.read, file)) {
    const problem = 'The database was restored from an older backup'
    log.warn({ file: runFileName }, `${problem}: all sessions end, and all access tokens are revoked`)
    await rotateNow(deps, { dropRetired: true })
    await store.commit(endWhatIsGoodOnce)
    await endAllSessions(deps)
  }
  await noteRun(store, file)
}

async function endWhatIsGoodOnce(tx: Tx): Promise<void> {
  for (const each of [passwordTokens, loginChallenges, passkeyChallenges, providerLogIns]) await tx.delete(each)
}

async function endAllSessions({ store, now }: RestoreDeps): Promise<void> {
  const read = (place: ChunkPlace<string>) => openSessionsAfter(store.read, place)
  for await (const some of inChunks(read, { size: 200, start: '', keyOf: ({ id }) => id })) {
    await store.commit(async (tx) => {
      for (const session of some) await endSession(tx, session, 'restored', now())
    })
  }
}
