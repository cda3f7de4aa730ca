import type { Who } from '../access/rules'
import { type CountingDeps, requireCounted } from '../console-sessions/require-session'
import { fail } from '../errors'
import type { Actor } from './act'

/** The caller of a console route, for the trail. Fails as `requireCounted` does. */
export async function sessionActor(deps: CountingDeps, request: Request, roles?: readonly Who[]): Promise<Actor> {
  const { caller, sessionId } = await requireCounted(deps, request, roles)
  const { address } = deps.arrivals.get(request) ?? { address: 'unknown' }
  return { door: 'console', id: caller.subject, roles: caller.roles, session: sessionId, address }
}

/** Fails (403) for a caller with none of the roles. For actions, whose refusal is recorded. */
export function requireRole({ roles }: Pick<Actor, 'roles'>, allowed: readonly Who[]): void {
  if (!allowed.some((role) => roles.includes(role))) throw fail('FORBIDDEN')
}
