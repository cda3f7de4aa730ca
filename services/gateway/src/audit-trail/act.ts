import type { Caller } from '@bursar/http'
import { findRule } from '../access/find-rule'
import { readers, type Who } from '../access/rules'
import type { Target } from '../front/target'
import type { AuditDoor } from './audit-trail.table'

/** Who acts, and from where. */
export interface Actor {
  readonly door: AuditDoor
  /** The user's id; the address of one that is not logged in. */
  readonly id: string
  readonly roles: readonly string[]
  /** The session that it acts in; null for none. */
  readonly session: string | null
  readonly address: string
}

/** An administrative act, as it is asked for. */
export interface Act {
  readonly actor: Actor
  readonly service: string
  /** The method and the route: `PUT /accounts/:id`. */
  readonly action: string
  /** The id of what it is about; null where the act makes it. */
  readonly object: string | null
  readonly requestId: string
  /** What is asked for: the values of the path and the query, and the body. Without secrets once it is written. */
  readonly request: unknown
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Asking for a rate writes one down, and asking what a passkey has to sign decides nothing: what is done with the signature
 * is written.
 */
const noActs = new Set(['quote POST /rates', 'identity-manager POST /users/mfa/options'])

/** Whether a request is written to the audit trail: what staff does, and all that is done through the console. */
export function isAct({ kind, roles }: Caller, method: string, target: Target, hasSession: boolean): boolean {
  if (kind === 'participant' || reads.has(method)) return false
  if (!hasSession && !(kind === 'user' && isStaff(roles))) return false
  return !noActs.has(`${target.service} ${method} ${target.path}`)
}

export const isStaff = (roles: readonly string[]): boolean => readers.some((role) => roles.includes(role as Who))

/** The route of a request and the values of its path; a route that the table lacks is none (its path may hold anything). */
export function routeOf(target: Target, method: string): { route: string; params: Readonly<Record<string, string>> } {
  try {
    const { route, params } = findRule(target, method)
    return { route, params }
  } catch {
    return { route: `${method} (no such route)`, params: {} }
  }
}
