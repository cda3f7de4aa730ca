import type { ServiceName } from '@bursar/contracts/services'
import { findRule } from '../access/find-rule'
import { needsOf } from '../access/needs'
import type { Rule } from '../access/rules'

/** One way to call an operation (OpenAPI: all of its names together). */
export type Credentials = Readonly<Record<string, readonly []>>

const token: Credentials = { accessToken: [] }
const key: Credentials = { apiKey: [] }
/** A client's access token stands for its key. */
const clientToken: Credentials = { clientToken: [] }
const tokenAndKey: Credentials = { accessToken: [], apiKey: [] }

interface Asked {
  service: ServiceName
  path: string
  method: string
  /** Whether the service itself requires a user. */
  isForUsers: boolean
  /** Whether callers are checked by the table of routes and roles. */
  roles: boolean
}

/**
 * The credentials of an operation. Where token and key are both required, users without a participant send only the
 * token, as do those whose participant has no key yet (decisions, Who may call 2, Users without a participant).
 */
export function credentialsOf({ service, path, method, isForUsers, roles }: Asked): Credentials[] {
  const target = { service, path, query: '' }
  const needs = needsOf(target, method)
  if (needs === 'nothing') return []
  const who = roles ? callersOf(findRule(target, method).rule) : { participants: true, keys: true }
  if (needs === 'either') return who.keys && !isForUsers ? [token, key, clientToken] : [token]
  return who.participants ? [token, tokenAndKey] : [token]
}

/** The kinds of callers that a rule allows. */
function callersOf({ any, own = [] }: Rule) {
  const who = [...any, ...own.flatMap((each) => each.who)]
  return { participants: who.some((each) => each.startsWith('participant')), keys: who.includes('key') }
}
