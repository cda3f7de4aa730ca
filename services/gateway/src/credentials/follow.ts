import { CallError } from '@bursar/http'
import type { PublicKeys } from './public-keys'
import type { Revocations } from './revocations'

/**
 * Takes over which keys sign and which sessions have ended, so that tokens verified before are refused soon after. That
 * the identity manager is away is no failure: what is known stays.
 */
export async function followIdentityManager(keys: PublicKeys, revocations: Revocations): Promise<void> {
  await Promise.all([ifReachable(keys.refresh()), ifReachable(revocations.pull())])
}

async function ifReachable(call: Promise<void>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof CallError)) throw error
  })
}
