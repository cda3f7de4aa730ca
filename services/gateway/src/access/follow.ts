import { ifCallFails } from '@bursar/http'
import type { Institutions } from './institutions'
import type { PublicKeys } from './public-keys'
import type { Revocations } from './revocations'

/**
 * Follows the signing keys, the ended sessions and the states of institutions, so that credentials verified
 * earlier are refused soon after. An unreachable service is ignored: the known state stays.
 */
export async function followOthers(
  keys: PublicKeys,
  revocations: Revocations,
  institutions: Pick<Institutions, 'pull'>,
): Promise<void> {
  const pulls = [keys.refresh(), revocations.pull(), institutions.pull()]
  await Promise.all(pulls.map((pull) => ifCallFails(pull, () => {})))
}
