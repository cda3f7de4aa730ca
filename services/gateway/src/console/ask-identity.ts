import { type Static, type TSchema, t } from '@bursar/contracts/schema'
import { AppError, currentRequest } from '@bursar/http'
import { Value } from '@sinclair/typebox/value'
import { arrivalOf } from '../console-sessions/arrivals'
import type { Session } from '../console-sessions/session'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { pass } from '../proxy/pass'

/** A request of the console to the identity manager on behalf of a browser's request. */
export interface Question {
  /** The browser's request. */
  request: Request
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: object
  /** The session; anonymous by default. */
  session?: Session
}

/** A request of a user of the console. */
export type Asking = Required<Pick<Question, 'request' | 'session'>>

/** An answer of the identity manager. */
export interface Answer {
  body: unknown
  headers: Headers
}

/**
 * Calls like any client of the API: from the same address, under the same limits, with the same audit trail. Fails as
 * the identity manager does.
 */
export async function askIdentity(
  deps: GatewayDeps,
  { request, method = 'POST', path, body, session }: Question,
): Promise<Answer> {
  const context = currentRequest()
  if (!context) throw new Error('The console asks for requests alone')
  const headers = new Headers(body === undefined ? {} : { 'content-type': 'application/json' })
  const agent = request.headers.get('user-agent')
  if (agent !== null) headers.set('user-agent', agent)
  const asked = new Request(`http://localhost/identity/v1${path}`, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: request.signal,
  })
  const target = { service: 'identity-manager', path, query: '' } as const
  const passage = {
    request: asked,
    target,
    address: arrivalOf(deps, request).address,
    context,
    session: session ?? null,
    isOfConsole: true,
  } as const
  const answer = await pass(deps, passage, () => false)
  const read: unknown = await answer?.json().catch(() => null)
  if (answer?.ok) return { body: read, headers: answer.headers }
  throw answer ? refusal(answer, read) : fail('UPSTREAM_ERROR')
}

/** The same for an answer of this form. Fails (502) for any other. */
export async function askFor<S extends TSchema>(deps: GatewayDeps, question: Question, form: S): Promise<Static<S>> {
  const { body } = await askIdentity(deps, question)
  if (!Value.Check(form, body)) throw fail('UPSTREAM_ERROR')
  return body
}

const Refusal = t.Object({
  error: t.Object({ code: t.String(), message: t.String(), details: t.Optional(t.Unknown()) }),
})

/** The parts of an error that are passed on besides the message. */
const passed = ['retry-after', 'ratelimit', 'ratelimit-policy']

function refusal({ status, headers }: Response, body: unknown): AppError {
  if (!Value.Check(Refusal, body)) return fail('UPSTREAM_ERROR')
  const { code, message, details } = body.error
  const given = passed.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : []))
  return new AppError(code, status, message, { details, headers: Object.fromEntries(given) })
}
