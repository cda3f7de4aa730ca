import { currentRequestId } from '@bursar/http'
import type { Who } from '../access/rules'
import { arrivalOf } from '../console-sessions/arrivals'
import { type CountingDeps, requireCounted } from '../console-sessions/require-session'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import type { Act, Actor } from './act'
import { failureOf, type Outcome } from './audit'

/** An action by one of the console's own routes. */
interface SessionAct<T> extends Omit<Act, 'actor' | 'requestId'> {
  /** The roles that may do it. */
  readonly allowed: readonly Who[]
  /** Reads its object, if the trail shows it before and after. */
  readonly before?: () => Promise<unknown>
  carryOut(actor: Actor): Promise<T>
  /** The part of the result that is recorded. */
  readonly outcomeOf?: (result: T) => Omit<Outcome, 'status'>
}

/**
 * Carries out an action of a session, recorded in the audit trail. Fails as `requireCounted` does; and, recorded as well, with
 * 403 for a caller with none of the roles.
 */
export async function recordSessionAct<T>(
  deps: CountingDeps & Pick<GatewayDeps, 'audit'>,
  request: Request,
  { allowed, before, carryOut, outcomeOf = () => ({}), ...asked }: SessionAct<T>,
): Promise<T> {
  const { caller, sessionId } = await requireCounted(deps, request)
  const { subject: id, roles } = caller
  const actor: Actor = { door: 'console', id, roles, session: sessionId, address: arrivalOf(deps, request).address }
  const act: Act = { ...asked, actor, requestId: currentRequestId() ?? '' }
  if (!allowed.some((role) => roles.includes(role))) {
    const refusal = fail('FORBIDDEN')
    await deps.audit.note(act, failureOf(refusal))
    throw refusal
  }
  const present = await before?.()
  return await deps.audit.record(
    act,
    present,
    () => carryOut(actor),
    async (result) => ({ status: 200, ...outcomeOf(result) }),
  )
}
