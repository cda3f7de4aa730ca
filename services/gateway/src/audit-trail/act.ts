import type { Caller } from '@bursar/http'
import { type Found, findRule } from '../access/find-rule'
import { readers, type Who } from '../access/rules'
import type { Target } from '../front/target'
import type { AuditDoor } from './audit-trail.table'

/** The actor and its origin. */
export interface Actor {
  readonly door: AuditDoor
  /** The user's id; the address of an anonymous one. */
  readonly id: string
  readonly roles: readonly string[]
  /** The session; null for none. */
  readonly session: string | null
  readonly address: string
}

/** A requested administrative action. */
export interface Act {
  readonly actor: Actor
  readonly service: string
  /** The method and the route: `PUT /accounts/:id`. */
  readonly action: string
  /** The id of its object; null when the action creates it. */
  readonly object: string | null
  readonly requestId: string
  /** The values of the path and the query, and the body. Secrets are removed before it is stored. */
  readonly request: unknown
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Requesting a rate stores one, and requesting a passkey's challenge decides nothing: the use of the signature
 * is recorded.
 */
const noActs = new Set(['quote POST /rates', 'identity-manager POST /users/mfa/options'])

/** Whether a request is recorded in the audit trail: actions of staff, and all actions through the console. */
export function isAct({ kind, roles }: Caller, method: string, target: Target, hasSession: boolean): boolean {
  if (kind === 'participant' || reads.has(method)) return false
  if (!hasSession && !(kind === 'user' && isStaff(roles))) return false
  return !noActs.has(`${target.service} ${method} ${target.path}`)
}

export const isStaff = (roles: readonly string[]): boolean => readers.some((role) => roles.includes(role as Who))

/**
 * The route of a request and the values of its path; none for a route not in the table (its path may contain anything).
 */
export function routeOf(target: Target, method: string): Pick<Found, 'route' | 'params'> {
  try {
    return findRule(target, method)
  } catch {
    return { route: `${method} (no such route)`, params: {} }
  }
}
