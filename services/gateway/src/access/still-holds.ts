import { AppError } from '@bursar/http'
import type { Admitted, Passage } from './admit'
import { authenticate, type Credentials } from './authenticate'
import { requireInstitution } from './institutions'
import { needsOf } from './needs'

/** The request as it was at its start. */
type Opened = Pick<Passage, 'target' | 'address'> & Pick<Admitted, 'caller'> & { headers: Headers }

/**
 * Whether a request's credentials are still valid: its token, its key, its institution, its address. Keys are looked up
 * again. A failed look-up does not end it, nor count as wrong credentials of the address.
 */
export async function stillHolds(
  credentials: Credentials,
  { headers, target, caller, address }: Opened,
): Promise<boolean> {
  const { apiKeys, institutions, keyAddresses } = credentials
  const anew: Credentials = {
    ...credentials,
    apiKeys: { ...apiKeys, known: () => undefined },
    failures: { watch: (_address, _digest, lookUp) => lookUp() },
  }
  try {
    // Known here, even when keys cannot be looked up.
    await requireInstitution(institutions, caller, target, 'GET')
    const { caller: found } = await authenticate(anew, { headers, needs: needsOf(target, 'GET'), from: address })
    if (found.kind === 'user') await keyAddresses.requireUser(found, address)
    return true
  } catch (error) {
    if (error instanceof AppError) return error.status >= 500
    throw error
  }
}
