import type { Static } from '@bursar/contracts/schema'
import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { fail } from '../errors'
import { takeCode } from '../second-factor/authenticators'
import { noteSigned, passkeySubject, signedBy } from '../second-factor/passkeys'
import type { Assertion } from '../second-factor/passkeys.model'
import type { UserRow } from '../users/users'
import { accountOf, countAttempt, forgive, forgiveAll, placeOf } from './attempts'

type Checking = Pick<IdentityManagerDeps, 'store' | 'seal' | 'now' | 'config' | 'log'>

/** The proof of a second factor: a code, or a passkey's signature. */
export interface Proof {
  code?: string
  passkey?: Static<typeof Assertion>
}

/**
 * Runs what uses up a code of a user and acts with it, in one commit; null means that the code is wrong or was used. Fails with
 * 401 then, with 429 after five wrong ones in five minutes: those of a known device count only for it.
 */
export async function withTaken<T>(
  { store, now }: Checking,
  { emailKey }: Pick<UserRow, 'emailKey'>,
  { device = null, wrong = wrongCode }: { device?: string | null; wrong?: string },
  take: (tx: Tx) => Promise<T | null>,
): Promise<T> {
  const subject = device === null ? accountOf('code', emailKey) : placeOf('code', emailKey, { device })
  const attempt = await store.commit((tx) => countAttempt(tx, [subject], now()))
  return await store.commit(async (tx) => {
    const taken = await take(tx)
    if (taken === null) throw fail('UNAUTHORIZED', { message: wrong })
    await forgive(tx, attempt)
    await forgiveAll(tx, subject)
    return taken
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
  const workIf = async (tx: Tx, isRight: boolean) => (isRight ? await work(tx) : null)
  if (code !== undefined) {
    return await withTaken(deps, user, { device }, async (tx) =>
      workIf(tx, await takeCode(tx, deps, user.id, code, deps.now())),
    )
  }
  const signed = passkey ? await signedBy(deps, { userId: user.id, subject }, passkey) : null
  return await withTaken(deps, user, { device, wrong: wrongPasskey }, async (tx) =>
    workIf(tx, signed !== null && (await noteSigned(tx, signed, deps.now()))),
  )
}
