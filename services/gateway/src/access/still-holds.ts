import { AppError, type Caller } from '@bursar/http'
import type { Target } from '../front/target'
import { authenticate, type Credentials } from './authenticate'
import { requireInstitution } from './institutions'
import { needsOf } from './needs'

interface Opened {
  headers: Headers
  target: Target
  /** Who was found by these credentials at first. */
  caller: Caller
  address: string
}

/**
 * Whether what a request came with still holds: its token, its key, its institution. Keys are looked up anew. That they
 * cannot be asked for is no end; nor does it count among the wrong credentials of an address.
 */
export async function stillHolds(
  credentials: Credentials,
  { headers, target, caller, address }: Opened,
): Promise<boolean> {
  const { apiKeys, institutions } = credentials
  const anew: Credentials = {
    ...credentials,
    apiKeys: { ...apiKeys, known: () => undefined },
    failures: { watch: (_address, lookUp) => lookUp() },
  }
  try {
    // Known here, also while those who know the keys are away.
    await requireInstitution(institutions, caller, target, 'GET')
    await authenticate(anew, { headers, needs: needsOf(target, 'GET'), address })
    return true
  } catch (error) {
    if (error instanceof AppError) return error.status >= 500
    throw error
  }
}
