import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { fail } from '../errors'
import { deleteChallenge, getChallenge, notValid } from '../second-factor/challenges'
import { passkeySubject } from '../second-factor/passkeys'
import type { LoggedIn } from '../sessions/refresh'
import type { Origin } from '../sessions/sessions'
import { mayLogIn } from '../users/may-log-in'
import { emailKeyOf, findUser, findUserByEmail } from '../users/users'
import { accountOf, addressOf, forgive, forgiveAll, placeOf } from './attempts'
import { begin, beginOrChallenge, type Challenged } from './begin'
import { verifyCounted } from './verify-counted'
import { type Proof, withProof } from './with-code'

type LoginDeps = Pick<IdentityManagerDeps, 'store' | 'hashing' | 'config' | 'now' | 'pause' | 'knownDevices'>

/**
 * Verifies a password, and gives what the caller commits: it opens a session, or asks for a code where the user has a
 * second factor. Fails with 401, in the same words and after the same work, for a wrong password, an unknown address and a
 * user that may not log in; with 429 after five failures from one place. A device of an earlier log-in is such a place,
 * and is kept a turn among many.
 */
export async function loggingIn(
  deps: LoginDeps,
  { email, password, deviceToken }: { email: string; password: string; deviceToken?: string },
  origin: Origin,
): Promise<(tx: Tx) => Promise<LoggedIn | Challenged>> {
  const { store } = deps
  const emailKey = emailKeyOf(email)
  const account = accountOf('login', emailKey)
  const user = await findUserByEmail(store.read, emailKey)
  const device = user ? deps.knownDevices.read(deviceToken, user.id, deps.now()) : null
  const place = placeOf('login', emailKey, device === null ? origin : { device })
  const counted = {
    subjects: device === null ? [place, ...addressOf('login', origin.address)] : [place],
    account,
    isKnown: device !== null,
  }
  const { matches, attempt } = await verifyCounted(deps, counted, { password, hash: user?.passwordHash ?? null })
  if (!user || !matches || user.status !== 'ACTIVE') throw fail('UNAUTHORIZED')
  return async (tx) => {
    const current = await findUser(tx, user.id)
    // The password was changed, or the user disabled, during verification.
    if (current?.passwordHash !== user.passwordHash || !(await mayLogIn(tx, current))) throw fail('UNAUTHORIZED')
    await forgive(tx, attempt)
    for (const subject of [account, place]) await forgiveAll(tx, subject)
    return await beginOrChallenge(tx, deps, current, { origin, device, viaProvider: false, secondFactorAt: null })
  }
}

/**
 * Opens the session of a log-in that awaits its code. Fails with 401 for an expired challenge and for a wrong or
 * used code, with 429 after five wrong ones.
 */
export async function loginByCode(
  deps: LoginDeps & Pick<IdentityManagerDeps, 'seal' | 'log'>,
  { challenge, ...proof }: { challenge: string } & Proof,
  origin: Origin,
): Promise<LoggedIn> {
  const { store, now } = deps
  const { hash, userId, device } = await getChallenge(store.read, challenge, now())
  const user = await findUser(store.read, userId)
  if (!user) throw notValid()
  return await withProof(deps, user, { proof, device, subject: passkeySubject.login(hash) }, async (tx) => {
    const row = await getChallenge(tx, challenge, now())
    const current = await findUser(tx, userId)
    // Disabled since. A new password has ended the challenge (endSessionsOf).
    if (!current || !(await mayLogIn(tx, current))) throw notValid()
    await deleteChallenge(tx, row)
    return await begin(tx, deps, current, { origin, viaProvider: row.viaProvider, secondFactorAt: null })
  })
}
