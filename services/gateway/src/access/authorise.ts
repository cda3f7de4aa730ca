import { type Caller, ifCallFails } from '@bursar/http'
import { fail } from '../errors'
import type { Target } from '../front/target'
import { type Found, findRule } from './find-rule'
import type { Owner, Owners } from './owners'
import { fieldsIn, isJson } from './read-answer'
import { custodians, type Named, participants, type Who } from './rules'

/** A request that may pass if it names only the caller's own objects. */
interface OnlyOwn {
  readonly owner: Owner
  readonly named: readonly Named[]
  readonly params: Found['params']
  /** Whether the decision needs the body. */
  readonly needsBody: boolean
}

/**
 * Decides by the table whether a caller may use a route: null when it may for any object, else the objects that must be
 * its own. Fails: 403 for a missing role, 404 and 405 for a route that the table lacks.
 */
export function allowedBy(target: Target, method: string, caller: Caller): OnlyOwn | null {
  const { rule, params } = findRule(target, method)
  if (rule.isOpen || holds(caller, rule.any)) return null
  const { participantId, custodianId = null } = caller
  const own = rule.own?.find(({ who }) => holds(caller, who))
  if (!own || (participantId === null && custodianId === null)) throw fail('FORBIDDEN')
  const needsBody = own.named.some(({ place }) => place === 'body')
  return { owner: { participantId, custodianId }, named: own.named, params, needsBody }
}

/** A role counts only with its owner: services take a user without one for staff. */
function holds({ kind, roles, participantId, custodianId = null }: Caller, who: readonly Who[]): boolean {
  if (kind === 'participant') return who.includes('key')
  const isHeld = (role: Who) =>
    roles.includes(role) &&
    (participantId !== null || !participants.includes(role)) &&
    (custodianId !== null || !custodians.includes(role))
  return kind === 'user' && who.some(isHeld)
}

/**
 * Refuses a request for another's objects as if they did not exist (404), and one that omits the objects that it
 * must name (403). Fails with 503 when the owner of an object cannot be looked up.
 */
export async function requireOwn(
  owners: Owners,
  { owner, named, params, needsBody }: OnlyOwn,
  { query, headers, body }: { query: string; headers: Headers; body: Uint8Array | null },
): Promise<void> {
  const asked = new URLSearchParams(query)
  const fields = needsBody && body !== null ? jsonFieldsOf(headers, body) : {}
  const objects = named.flatMap(({ kind, place, name }) =>
    valuesOf({ place, name }, { params, asked, fields }).map((id) => ({ kind, id })),
  )
  if (objects.length === 0) {
    const names = named.map(({ name }) => name).join(' or ')
    throw fail('FORBIDDEN', { message: `Your role may access only its own: pass ${names}` })
  }
  const answers = Promise.all(objects.map(({ kind, id }) => owners.isOwn(owner, kind, id)))
  const own = await ifCallFails(answers, (cause) => {
    throw fail('SERVICE_UNAVAILABLE', { message: cannotTell, cause })
  })
  if (!own.every(Boolean)) throw fail('NOT_FOUND', { message: 'There is no such resource' })
}

const cannotTell = 'Ownership cannot be checked right now; repeat the request in a moment'

/** Every given value: of a repeated one both must be the caller's own. */
function valuesOf(
  { place, name }: Pick<Named, 'place' | 'name'>,
  { params, asked, fields }: { params: Found['params']; asked: URLSearchParams; fields: Record<string, unknown> },
): string[] {
  if (place === 'query') return asked.getAll(name)
  if (place === 'queryList') return asked.getAll(name).flatMap((value) => value.split(','))
  const value = place === 'path' ? params[name] : Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === 'string' ? [value] : []
}

/** The fields that a service would read; none if the body is not an object. Fails (400) for a body that is not JSON. */
function jsonFieldsOf(headers: Headers, body: Uint8Array): Record<string, unknown> {
  if (body.byteLength === 0) return {}
  if (!isJson(headers)) throw fail('INVALID_REQUEST', { message: 'Send the body as application/json' })
  try {
    return fieldsIn(JSON.parse(new TextDecoder().decode(body)))
  } catch (cause) {
    throw fail('INVALID_REQUEST', { message: 'The body is not valid JSON', cause })
  }
}
