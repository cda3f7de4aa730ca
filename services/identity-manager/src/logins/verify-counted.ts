import type { IdentityManagerDeps } from '../deps'
import { countAttempt, forgive } from './attempts'

/** A password that was verified, and the attempt that counts as failed until it is forgiven. */
interface Verified {
  matches: boolean
  attempt: string
}

/** Verifies a password as one of a few attempts. Fails with 429 after five, and with 503 when it cannot be looked at now. */
export async function verifyCounted(
  { store, hashing, now }: Pick<IdentityManagerDeps, 'store' | 'hashing' | 'now'>,
  subjects: readonly string[],
  { password, hash }: { password: string; hash: string | null },
): Promise<Verified> {
  const attempt = await store.commit((tx) => countAttempt(tx, subjects, now()))
  try {
    return { matches: await hashing.verify(password, hash), attempt }
  } catch (error) {
    // The caller did not fail: nobody looked.
    await store.commit((tx) => forgive(tx, attempt))
    throw error
  }
}
