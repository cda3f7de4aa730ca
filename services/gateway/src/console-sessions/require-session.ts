import type { Who } from '../access/rules'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { arrivalOf } from './arrivals'
import { requireOwnPage } from './own-page'
import type { Session } from './session'

/**
 * The session of a request to `/console/api`. Fails: 403 for a request not from the console's pages, 401 without a
 * session, 403 PASSWORD_CHANGE_REQUIRED, 403 for a user with none of the roles.
 */
export async function requireSession(
  { sessions }: Pick<GatewayDeps, 'sessions'>,
  request: Request,
  roles?: readonly Who[],
): Promise<Session> {
  requireOwnPage(request)
  const session = await sessions.of(request)
  if (session.row.mustChangePassword) throw fail('PASSWORD_CHANGE_REQUIRED')
  if (roles && !roles.some((role) => session.caller.roles.includes(role))) throw fail('FORBIDDEN')
  return session
}

export type CountingDeps = Pick<GatewayDeps, 'sessions' | 'rateLimits' | 'policies' | 'arrivals' | 'credentials'>

/**
 * The same, counted against the user's rate limit. For the console's own routes. Also fails with 429, and with 403 for a
 * user from an address that its institution may not come from.
 */
export async function requireCounted(deps: CountingDeps, request: Request, roles?: readonly Who[]): Promise<Session> {
  const session = await requireSession(deps, request, roles)
  const { address } = arrivalOf(deps, request)
  await deps.credentials.keyAddresses.requireUser(session.caller, address, 'console')
  if (session.mustEnrol) throw fail('SECOND_FACTOR_REQUIRED')
  await deps.rateLimits.take(session.counted, deps.policies.requests)
  return session
}
