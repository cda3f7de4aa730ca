import { getKnownUser, refreshTokens } from '@bursar/contracts/identity-manager'
import { type Client, createSingleFlight, isCallError, isRefused } from '@bursar/http'
import { deleteSession, findSession, type SessionRow, storeRefreshed } from './console-sessions'
import { openTokens, sealTokens } from './sealed-tokens'
import { loggedOut, type SessionDeps, toSessionUser } from './session'

/**
 * Gets a session its next tokens. A refresh token is good for one use, and a second one ends the session: so all requests
 * of a session that need it wait for the same exchange, and one that comes later finds what it stored.
 */
export function createRefresh({ store, client, seal }: SessionDeps): (row: SessionRow) => Promise<SessionRow> {
  const once = createSingleFlight<SessionRow>()

  /** What was stored since the caller looked; else what the identity manager gives now. */
  async function refreshed(before: SessionRow): Promise<SessionRow> {
    const row = await findSession(store.read, before.id)
    const known = row && openTokens(seal, row.id, row.tokens)
    if (!row || !known) throw loggedOut()
    if (row.tokens !== before.tokens) return row
    const { data } = await exchange(client, known.refreshToken).catch(async (error: unknown) => {
      if (!isRefused(error, 401)) throw error
      await store.commit((tx) => deleteSession(tx, row.id))
      throw loggedOut()
    })
    const user = await client.find(getKnownUser, { params: { id: row.userId } }).catch(() => null)
    const next: SessionRow = {
      ...row,
      tokens: sealTokens(seal, row.id, data),
      user: user ? toSessionUser(user) : row.user,
      mustChangePassword: user?.mustChangePassword ?? row.mustChangePassword,
    }
    await store.commit((tx) => storeRefreshed(tx, next))
    return next
  }

  return (row) => once(row.id, () => refreshed(row))
}

/** Tried once more where its answer may have been lost: the identity manager gives the same again for ten seconds. */
const exchange = (client: Client, refreshToken: string) => {
  const ask = () => client.call(refreshTokens, { body: { refreshToken } })
  return ask().catch((error: unknown) => {
    if (isCallError(error) && error.status !== null && error.status < 500) throw error
    return ask()
  })
}
