import type { Admitted, Passage } from '../access/admit'
import { answerOf, fieldsIn, jsonOf } from '../access/read-answer'
import type { GatewayDeps } from '../deps'
import { type Act, isAct, routeOf } from './act'
import { failureOf, type Outcome } from './audit'
import { type ObjectRead, readObject } from './read-object'
import { isSecretName, redacted } from './redact'

/** Whether a forwarded request is recorded in the audit trail. */
export const isAudited = ({ request, target, session }: Passage, { caller }: Admitted): boolean =>
  isAct(caller, request.method, target, session !== null)

/** Runs checks of an action, and records a refusal before it is answered. */
export async function noteRefusal<T>(
  deps: GatewayDeps,
  { passage, admitted }: { passage: Passage; admitted: Admitted },
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    await deps.audit.note(actOf(passage, admitted, undefined).act, failureOf(error))
    throw error
  }
}

/** Forwards an action to its service, recorded in the audit trail. Fails (503) when it cannot be recorded first. */
export async function sendAct(
  deps: GatewayDeps,
  { passage, admitted }: { passage: Passage; admitted: Admitted },
  { body, send }: { body: Uint8Array | null; send: () => Promise<Response> },
): Promise<Response> {
  const { act, read } = actOf(passage, admitted, body === null ? undefined : jsonOf(body))
  const before = await readObject(deps, read)
  return await deps.audit.record(act, before, send, async (response): Promise<Outcome> => {
    const { status, headers } = response
    const after = before === undefined || status >= 400 ? undefined : await readObject(deps, read)
    const answer = after === undefined ? await answerOf(response) : undefined
    const object = act.object ?? idIn(answer)
    return { status, after, answer, object, isRepeat: headers.has('idempotent-replayed') || undefined }
  })
}

function actOf(passage: Passage, admitted: Admitted, body: unknown): { act: Act; read: ObjectRead } {
  const { request, target, address, context, session } = passage
  const { caller, sessionId } = admitted
  const { route, params } = routeOf(target, request.method)
  const door = session ? 'console' : 'api'
  const query = Object.fromEntries(new URLSearchParams(target.query))
  const act: Act = {
    actor: { door, id: caller.subject, roles: caller.roles, session: sessionId, address },
    service: target.service,
    action: route,
    object: objectIn(params),
    requestId: context.id,
    request: { params, query, body: isOfSecondFactor(target) ? undefined : body },
  }
  const values = { ...textsIn(body), ...params }
  return { act, read: { service: target.service, route, values, caller, requestId: context.id } }
}

/** Their bodies contain only passwords and codes. */
const isOfSecondFactor = ({ service, path }: Passage['target']): boolean =>
  service === 'identity-manager' && /\/mfa(\/|$)/.test(path)

/** The last value of the path is the object of an action; a credential is omitted. */
function objectIn(params: Readonly<Record<string, string>>): string | null {
  const [name, value] = Object.entries(params).at(-1) ?? []
  if (name === undefined || value === undefined) return null
  return isSecretName(name) ? redacted : kept(value)
}

const longestObject = 200
/** Half a character at its end would be stored as another one than the row's hash has. */
const kept = (id: string): string => id.slice(0, longestObject).toWellFormed()

function idIn(answer: unknown): string | null {
  const { id } = fieldsIn(answer)
  return typeof id === 'string' ? kept(id) : null
}

const textsIn = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsIn(body)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
