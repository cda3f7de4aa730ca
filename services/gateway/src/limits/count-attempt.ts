import { sha256 } from '@bursar/http'
import type { GatewayDeps } from '../deps'
import type { Attempt } from './policies'

/** Counts an attempt by the address that makes it. Fails (429). */
export const countByAddress = async (
  { rateLimits }: Pick<GatewayDeps, 'rateLimits'>,
  attempt: Attempt,
  address: string,
) => await rateLimits.take(`address:${address}`, attempt.policy)

/** Counts it by the account in its body, case-insensitively. Fails (429). */
export async function countByAccount(
  { rateLimits }: Pick<GatewayDeps, 'rateLimits'>,
  attempt: Attempt,
  body: Uint8Array,
): Promise<void> {
  const email = emailIn(body)
  if (email === null) return
  const account = sha256(email.trim().toLowerCase())
  await rateLimits.take(`account:${account}`, attempt.policy)
}

/** Null for a body without one, which the identity manager refuses. */
function emailIn(body: Uint8Array): string | null {
  try {
    const { email } = JSON.parse(new TextDecoder().decode(body))
    return typeof email === 'string' ? email : null
  } catch {
    return null
  }
}
