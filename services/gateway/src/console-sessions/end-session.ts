import { logOut } from '@bursar/contracts/identity-manager'
import { deleteSession, type SessionRow } from './console-sessions'
import { openTokens } from './sealed-tokens'
import type { SessionDeps } from './session'

/**
 * Ends a session: the cookie opens nothing from now on, whatever the identity manager says. That it cannot be reached is
 * logged; its session is then in nobody's hands, and ends by itself.
 */
export async function endSession({ store, client, seal, log }: SessionDeps, row: SessionRow): Promise<void> {
  const tokens = openTokens(seal, row.id, row.tokens)
  await store.commit((tx) => deleteSession(tx, row.id))
  if (!tokens) return
  await client.call(logOut, { body: { refreshToken: tokens.refreshToken } }).catch((err: unknown) => {
    log.warn({ err, session: row.sessionId }, 'The identity manager could not be asked to end a session')
  })
}
