import type { Static } from '@bursar/contracts/schema'
import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { fail } from '../errors'
import { takeCode } from '../second-factor/authenticators'
import { noteSigned, passkeySubject, signedBy } from '../second-factor/passkeys'
import type { Assertion } from '../second-factor/passkeys.model'
import type { UserRow } from '../users/users'
import { accountOf, countAttempt, forgive, forgiveAll, placeOf } from './attempts'

type Checking = Pick<IdentityManagerDeps, 'store' | 'seal' | 'now' | 'config'>

/** The proof of a second factor: a code, or a passkey's signature. */
export interface Proof {
  code?: string
  passkey?: Static<typeof Assertion>
}

/**
 * Runs an action for a user with a correct code, in the commit that uses the code up. Fails with 401 for a wrong or
 * used one, with 429 after five wrong ones in five minutes: those of a known device count only for it.
 */
export async function withTaken<T>(
  deps: Checking,
  user: Pick<UserRow, 'id' | 'emailKey'>,
  { device = null, wrong = wrongCode }: { device?: string | null; wrong?: string },
  work: (tx: Tx) => Promise<T>,
  take: (tx: Tx) => Promise<boolean>,
): Promise<T> {
  const { store, now } = deps
  const subject = device === null ? accountOf('code', user.emailKey) : placeOf('code', user.emailKey, { device })
  const attempt = await store.commit((tx) => countAttempt(tx, [subject], now()))
  return await store.commit(async (tx) => {
    if (!(await take(tx))) throw fail('UNAUTHORIZED', { message: wrong })
    await forgive(tx, attempt)
    await forgiveAll(tx, subject)
    return await work(tx)
  })
}

const wrongCode = 'The code is wrong, or was used already'
const wrongPasskey = 'The passkey is not one of yours, or its answer came late or twice: try again'

/** The refusal of neither and of both. */
export const eitherOne = () => fail('INVALID_REQUEST', { message: 'Send either code or passkey' })

/** The same for a code or a passkey's signature for this subject, by default the user's own. */
export async function withProof<T>(
  deps: Checking,
  user: Pick<UserRow, 'id' | 'emailKey'>,
  asked: { proof: Proof; subject?: string; device?: string | null },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { proof, subject = passkeySubject.verify(user.id), device = null } = asked
  const { code, passkey } = proof
  if ((code === undefined) === (passkey === undefined)) throw eitherOne()
  if (code !== undefined) {
    return await withTaken(deps, user, { device }, work, (tx) => takeCode(tx, deps, user.id, code, deps.now()))
  }
  const signed = passkey ? await signedBy(deps, { userId: user.id, subject }, passkey) : null
  const take = async (tx: Tx) => signed !== null && (await noteSigned(tx, signed, deps.now()))
  return await withTaken(deps, user, { device, wrong: wrongPasskey }, work, take)
}
