import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { fail } from '../errors'
import { takeCode } from '../second-factor/authenticators'
import type { UserRow } from '../users/users'
import { accountOf, countAttempt, forgive, forgiveAll, placeOf } from './attempts'

type Checking = Pick<IdentityManagerDeps, 'store' | 'seal' | 'now'>

/**
 * Does something for a user that gives a right code, in the commit that uses the code up. Fails with 401 for a wrong or
 * used one, with 429 after five wrong ones in five minutes: those of a known device count for it alone.
 */
export async function withCode<T>(
  deps: Checking,
  user: Pick<UserRow, 'id' | 'emailKey'>,
  { code, device = null }: { code: string; device?: string | null },
  work: (tx: Tx) => Promise<T>,
  take: (tx: Tx) => Promise<boolean> = (tx) => takeCode(tx, deps, user.id, code, deps.now()),
): Promise<T> {
  const { store, now } = deps
  const subject = device === null ? accountOf('code', user.emailKey) : placeOf('code', user.emailKey, { device })
  const attempt = await store.commit((tx) => countAttempt(tx, [subject], now()))
  return await store.commit(async (tx) => {
    if (!(await take(tx))) throw fail('UNAUTHORIZED', { message: wrongCode })
    await forgive(tx, attempt)
    await forgiveAll(tx, subject)
    return await work(tx)
  })
}

const wrongCode = 'The code is wrong, or was used already'
