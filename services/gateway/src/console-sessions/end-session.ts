import { logOut } from '@bursar/contracts/identity-manager'
import { deleteSession, type SessionRow } from './console-sessions'
import { openTokens } from './sealed-tokens'
import type { SessionDeps } from './session'

/**
 * Ends a session: the cookie is invalid from now on, whatever the identity manager answers. If it is unreachable, that
 * is logged; its session is then unused and expires.
 */
export async function endSession({ store, client, sessionSeal, log }: SessionDeps, row: SessionRow): Promise<void> {
  const tokens = openTokens(sessionSeal, row.id, row.tokens)
  await store.commit((tx) => deleteSession(tx).execute({ id: row.id }))
  if (!tokens) return
  await client.call(logOut, { body: { refreshToken: tokens.refreshToken } }).catch((err: unknown) => {
    log.warn({ err, session: row.sessionId }, 'The identity manager could not be asked to end a session')
  })
}
