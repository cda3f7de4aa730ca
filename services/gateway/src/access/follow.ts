import { ifCallFails } from '@bursar/http'
import type { Institutions } from './institutions'
import type { PublicKeys } from './public-keys'
import type { Revocations } from './revocations'

/**
 * Takes over which keys sign, which sessions have ended and which institutions may act, so that credentials verified
 * before are refused soon after. That a service is away is no failure: what is known stays.
 */
export async function followOthers(
  keys: PublicKeys,
  revocations: Revocations,
  institutions: Pick<Institutions, 'pull'>,
): Promise<void> {
  const pulls = [keys.refresh(), revocations.pull(), institutions.pull()]
  await Promise.all(pulls.map((pull) => ifCallFails(pull, () => {})))
}
