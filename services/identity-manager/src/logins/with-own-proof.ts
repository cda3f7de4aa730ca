import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { fail } from '../errors'
import { hasSecondFactor } from '../second-factor/authenticators'
import { findSession } from '../sessions/sessions'
import { findUser, type UserRow } from '../users/users'
import { verifyOwnPassword } from './verify-counted'
import { eitherOne, type Proof, withProof } from './with-code'

/** How long a log-in through the provider replaces a password. */
const lateMs = 5 * 60_000

/** A user that calls. */
export interface CallingUser extends UserRow {
  /** The session by which it calls; null if unknown. */
  readonly callingSession: string | null
}

/**
 * Refuses (401) a user that does not know its own password, or without one has not just begun this session through the
 * provider: another session of the user proves nothing of who calls. Counted like log-ins.
 */
async function verifyOneself(
  deps: IdentityManagerDeps,
  user: CallingUser,
  password: string | undefined,
): Promise<void> {
  if (user.passwordHash !== null || password !== undefined) return await verifyOwnPassword(deps, user, password)
  const { callingSession } = user
  const session = callingSession === null ? undefined : await findSession(deps.store.read, callingSession)
  const isOwn = session?.userId === user.id && session.endedAt === null && session.viaProvider
  const isLate = isOwn && Math.abs(deps.now().getTime() - session.createdAt.getTime()) < lateMs
  if (!isLate) throw fail('UNAUTHORIZED', { message: notLate })
}

const notLate =
  'You have no password here: log out, and log in through the provider once more; then do this within five minutes'

/**
 * Changes the second factor of a user that gives its password and, if it has one, proves its second factor: somebody
 * who has stolen a session and a password cannot add a passkey. Fails as both do.
 */
export async function withOwnProof<T>(
  deps: IdentityManagerDeps,
  user: CallingUser,
  given: { password?: string } & Proof,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { password, ...proof } = given
  await verifyOneself(deps, user, password)
  const act = asVerified(user, work)
  if (await hasSecondFactor(deps.store.read, user.id)) return await withProof(deps, user, { proof }, act)
  return await deps.store.commit(async (tx) => {
    // Set up meanwhile: it must be proved.
    if (await hasSecondFactor(tx, user.id)) throw eitherOne()
    return await act(tx)
  })
}

/** The same for what needs a second factor: without one it is a wrong proof. */
export async function withBothProofs<T>(
  deps: IdentityManagerDeps,
  user: CallingUser,
  { password, ...proof }: { password?: string } & Proof,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  await verifyOneself(deps, user, password)
  return await withProof(deps, user, { proof }, asVerified(user, work))
}

/** For a commit: refuses (401) when the password was changed, or the session ended, since they were verified. */
const asVerified =
  <T>({ id, passwordHash, callingSession }: CallingUser, work: (tx: Tx) => Promise<T>) =>
  async (tx: Tx): Promise<T> => {
    const session = callingSession === null ? undefined : await findSession(tx, callingSession)
    const isSame = (await findUser(tx, id))?.passwordHash === passwordHash
    if (!isSame || (session && session.endedAt !== null)) throw fail('UNAUTHORIZED', { message: 'Log in again' })
    return await work(tx)
  }
