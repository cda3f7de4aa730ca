import type { IdentityManagerDeps } from '../deps'
import { fail } from '../errors'
import { issueRefreshToken } from '../sessions/refresh-tokens'
import { dayMs, type Origin, openSession } from '../sessions/sessions'
import { emailKeyOf, findUser, findUserByEmail, type UserRow } from '../users/users'
import { accountOf, addressOf, countAttempt, forgive, forgiveAll } from './attempts'
import { networkOf } from './caller-address'

/** What a login gives. */
export interface LoggedIn {
  user: UserRow
  sessionId: string
  refreshToken: string
}

type LoginDeps = Pick<IdentityManagerDeps, 'store' | 'hashing' | 'config' | 'now'>

/**
 * Opens a session. Fails with 401, in the same words and after the same work, for a wrong password, an unknown address and
 * a user that may not log in; with 429 after five failures.
 */
export async function login(
  deps: LoginDeps,
  { email, password }: { email: string; password: string },
  origin: Origin,
): Promise<LoggedIn> {
  const { store, now } = deps
  const emailKey = emailKeyOf(email)
  const account = accountOf('login', emailKey)
  const subjects = [account, ...(origin.address === null ? [] : [addressOf('login', networkOf(origin.address))])]
  const attempt = await store.commit((tx) => countAttempt(tx, subjects, now()))
  const user = await findUserByEmail(store.read, emailKey)
  const matches = await verified(deps, attempt, password, user?.passwordHash ?? null)
  if (!user || !matches || user.status !== 'ACTIVE') throw fail('UNAUTHORIZED')
  return await store.commit(async (tx) => {
    const current = await findUser(tx, user.id)
    // The password was changed, or the user disabled, while this one was verified.
    if (current?.status !== 'ACTIVE' || current.passwordHash !== user.passwordHash) throw fail('UNAUTHORIZED')
    await forgive(tx, attempt)
    await forgiveAll(tx, account)
    return await begin(tx, deps, current, origin)
  })
}

/** Where the password could not be looked at, that is no failure of the caller's. */
async function verified({ store, hashing }: LoginDeps, attempt: string, password: string, hash: string | null) {
  try {
    return await hashing.verify(password, hash)
  } catch (error) {
    await store.commit((tx) => forgive(tx, attempt))
    throw error
  }
}

async function begin(
  tx: Parameters<typeof openSession>[0],
  { config, now }: LoginDeps,
  user: UserRow,
  origin: Origin,
): Promise<LoggedIn> {
  const session = await openSession(tx, { userId: user.id, origin, lifeMs: config.sessionDays * dayMs }, now())
  const refreshToken = await issueRefreshToken(tx, session.id, config.idleDays * dayMs, now())
  return { user, sessionId: session.id, refreshToken }
}
