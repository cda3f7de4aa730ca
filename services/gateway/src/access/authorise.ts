import { type Caller, ifCallFails } from '@bursar/http'
import { fail } from '../errors'
import type { Target } from '../front/target'
import { type Found, findRule } from './find-rule'
import type { Owner, Owners } from './owners'
import { isJson } from './read-answer'
import type { Named, Who } from './rules'

/** A request that may pass if all that it names is the caller's own. */
export interface OnlyOwn {
  readonly owner: Owner
  readonly named: readonly Named[]
  readonly params: Found['params']
  /** Whether its body must be read to know. */
  readonly needsBody: boolean
}

/**
 * Whether a caller may use a route, by the table: null when it may whatever the request is about, else what must be its
 * own. Fails: 403 for a missing role, 404 and 405 for a route that the table lacks.
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

const holds = ({ kind, roles }: Caller, who: readonly Who[]): boolean =>
  kind === 'participant' ? who.includes('key') : kind === 'user' && who.some((role) => roles.includes(role))

/**
 * Refuses a request that is about another's objects as if they were not there (404), and one that names none of what it
 * must name (403). Fails with 503 when the owner of an object cannot be asked.
 */
export async function requireOwn(
  owners: Owners,
  { owner, named, params, needsBody }: OnlyOwn,
  { query, headers, body }: { query: string; headers: Headers; body: Uint8Array | null },
): Promise<void> {
  const asked = new URLSearchParams(query)
  const fields = needsBody && body !== null ? fieldsOf(headers, body) : {}
  const objects = named.flatMap(({ kind, place, name }) =>
    valuesOf({ place, name }, { params, asked, fields }).map((id) => ({ kind, id })),
  )
  if (objects.length === 0) {
    const names = named.map(({ name }) => name).join(' or ')
    throw fail('FORBIDDEN', { message: `Your role allows this for your own alone: name it by ${names}` })
  }
  const answers = Promise.all(objects.map(({ kind, id }) => owners.isOwn(owner, kind, id)))
  const own = await ifCallFails(answers, (cause) => {
    throw fail('SERVICE_UNAVAILABLE', { message: cannotTell, cause })
  })
  if (!own.every(Boolean)) throw fail('NOT_FOUND', { message: 'There is no such resource' })
}

const cannotTell = 'Whose this is cannot be found out right now; repeat the request in a moment'

/** Every value that is given: where one comes twice, both must be the caller's own. */
function valuesOf(
  { place, name }: Pick<Named, 'place' | 'name'>,
  { params, asked, fields }: { params: Found['params']; asked: URLSearchParams; fields: Record<string, unknown> },
): string[] {
  if (place === 'query') return asked.getAll(name)
  const value = place === 'path' ? params[name] : Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === 'string' ? [value] : []
}

/** What a service would read. Fails (400) for what is no JSON; what is no object names nothing. */
function fieldsOf(headers: Headers, body: Uint8Array): Record<string, unknown> {
  if (body.byteLength === 0) return {}
  if (!isJson(headers)) throw fail('INVALID_REQUEST', { message: 'Send the body as application/json' })
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch (cause) {
    throw fail('INVALID_REQUEST', { message: 'The body is not valid JSON', cause })
  }
}
