import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { hasSecondFactor } from '../second-factor/authenticators'
import type { UserRow } from '../users/users'
import { verifyOwnPassword } from './verify-counted'
import { type Proof, withProof } from './with-code'

/**
 * Does something to the second factor of a user that gives its password and, where it has a second factor, shows that: who
 * has taken a session and a password over adds no passkey of his own. Fails as both do.
 */
export async function withOwnProof<T>(
  deps: IdentityManagerDeps,
  user: UserRow,
  { password, ...proof }: { password: string } & Proof,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  await verifyOwnPassword(deps, user, password)
  if (await hasSecondFactor(deps.store.read, user.id)) return await withProof(deps, user, { proof }, work)
  return await deps.store.commit(work)
}
