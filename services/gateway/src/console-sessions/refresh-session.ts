import { getKnownUser, refreshTokens } from '@bursar/contracts/identity-manager'
import { type Client, createSingleFlight, isCallError, isRefused } from '@bursar/http'
import { deleteSession, findSession, type SessionRow, storeRefreshed } from './console-sessions'
import { openTokens, sealTokens } from './sealed-tokens'
import { loggedOut, type SessionDeps, toSessionUser } from './session'

/**
 * A refresh token can be used once, and a second use ends the session: so all requests of a session share one exchange,
 * and later ones find the stored result. Fails (401) for a session that has ended meanwhile.
 */
export function createRefresh({ store, client, sessionSeal: seal }: SessionDeps) {
  const once = createSingleFlight<SessionRow>()

  /** Tokens stored since the caller read the session; else new ones from the identity manager. */
  async function refreshed(before: SessionRow): Promise<SessionRow> {
    const row = await storedRow(before.id)
    const known = openTokens(seal, row.id, row.tokens)
    if (!known) throw loggedOut()
    if (!areSame(row, before)) return row
    const { data } = await exchange(client, known.refreshToken).catch(async (error: unknown) => {
      if (!isRefused(error, 401)) throw error
      await store.commit((tx) => deleteSession(tx).execute({ id: row.id }))
      throw loggedOut()
    })
    const user = await client.find(getKnownUser, { params: { id: row.userId } }).catch(() => null)
    const next = {
      ...row,
      tokens: sealTokens(seal, row.id, data),
      user: user ? toSessionUser(user) : row.user,
      mustChangePassword: user?.mustChangePassword ?? row.mustChangePassword,
    }
    await store.commit(async (tx) => {
      const current = await findSession(tx, row.id)
      if (current && areSame(current, row)) await storeRefreshed(tx, next, current.tokens)
    })
    return await storedRow(row.id)
  }

  /** Compares the decrypted tokens: a newer key may have sealed them again. */
  function areSame({ id, tokens }: SessionRow, other: SessionRow): boolean {
    if (tokens === other.tokens) return true
    return openTokens(seal, id, tokens)?.refreshToken === openTokens(seal, id, other.tokens)?.refreshToken
  }

  async function storedRow(id: string): Promise<SessionRow> {
    const row = await findSession(store.read, id)
    if (!row) throw loggedOut()
    return row
  }

  return {
    /** New tokens, or those stored since the caller read the session. */
    refresh: (row: SessionRow): Promise<SessionRow> => once(row.id, () => refreshed(row)),
    /** Tokens requested from now on: a running exchange may be older than a change of the user. */
    async renew({ id }: SessionRow): Promise<SessionRow> {
      await once(id, () => storedRow(id)).catch(() => {})
      const row = await storedRow(id)
      return await once(id, () => refreshed(row))
    },
  }
}

/** Retried once when the answer may have been lost: the identity manager repeats it for ten seconds. */
const exchange = (client: Client, refreshToken: string) => {
  const ask = () => client.call(refreshTokens, { body: { refreshToken } })
  return ask().catch((error: unknown) => {
    if (isCallError(error) && error.status !== null && error.status < 500) throw error
    return ask()
  })
}
