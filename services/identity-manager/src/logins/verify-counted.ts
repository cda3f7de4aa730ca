import type { IdentityManagerDeps } from '../deps'
import { fail, refuse } from '../errors'
import type { UserRow } from '../users/users'
import { accountOf, countAttempt, forgive, pauseFor } from './attempts'

/** A password that was verified, and the attempt that counts as failed until it is forgiven. */
interface Verified {
  matches: boolean
  attempt: string
}

/** The subjects that an attempt counts against. */
interface CountedFor {
  /** After five failures of one of them the next attempt is refused. */
  subjects: readonly string[]
  /** The account whose earlier failures slow down unknown devices. */
  account: string
  /** Whether the caller is recognised: it does not wait, and has a reserved place in the queue. */
  isKnown: boolean
}

/**
 * Verifies a password with a limited number of attempts. Fails with 429 after five, and with 503 when the queue is
 * full.
 */
export async function verifyCounted(
  { store, hashing, now, pause }: Pick<IdentityManagerDeps, 'store' | 'hashing' | 'now' | 'pause'>,
  { subjects, account, isKnown }: CountedFor,
  { password, hash }: { password: string; hash: string | null },
): Promise<Verified> {
  const attempt = await store.commit((tx) => countAttempt(tx, subjects, now(), [account]))
  const pauseMs = isKnown ? 0 : await pauseFor(store.read, account, now())
  if (pauseMs > 0) await pause(pauseMs)
  try {
    return { matches: await hashing.verify(password, hash, { isKnown }), attempt }
  } catch (error) {
    // Not the caller's failure: the password was not verified.
    await store.commit((tx) => forgive(tx, attempt))
    throw error
  }
}

/**
 * Refuses a user that does not know its own password (401). Counted like log-ins, but separately: a stolen session or
 * token must not allow guessing passwords.
 */
export async function verifyOwnPassword(
  deps: Pick<IdentityManagerDeps, 'store' | 'hashing' | 'now' | 'pause'>,
  { emailKey, passwordHash }: Pick<UserRow, 'emailKey' | 'passwordHash'>,
  password: string | undefined,
  field = 'password',
): Promise<void> {
  if (password === undefined) throw refuse(field, 'should not be empty')
  const counted = { subjects: [accountOf('change', emailKey)], account: accountOf('login', emailKey), isKnown: true }
  const { matches, attempt } = await verifyCounted(deps, counted, { password, hash: passwordHash })
  if (!matches) throw fail('UNAUTHORIZED', { message: 'The current password is wrong' })
  await deps.store.commit((tx) => forgive(tx, attempt))
}
