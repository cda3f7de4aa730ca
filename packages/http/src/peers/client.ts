import type { Call, CallInput } from '@bursar/contracts/call'
import { messageOf } from '@bursar/contracts/log'
import type { ServiceName } from '@bursar/contracts/services'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import type { FieldProblem } from '../errors/errors'
import { currentRequestId, currentTrace } from '../request/context'
import { readWithin } from '../request/read-within'
import { askedPeer } from '../trace/spans'
import { traceparentOf } from '../trace/trace-context'
import { noTracer, type Tracer } from '../trace/tracer'
import { CallError, isCallError, orNull } from './call-error'
import { fetchPeer, unlessAborted } from './fetch-peer'
import { type Identity, identityHeader } from './identity'
import type { Addresses } from './instance-addresses'
import { createRestarts, type Restarts } from './restarts'
import { codeOf } from './unreachable'

export interface Client {
  /** Makes the call and resolves with its checked answer. Rejects with CallError. */
  call<B extends TSchema, A extends TSchema>(call: Call<B, A>, input?: CallInput<Static<B>>): Promise<Static<A>>
  /** The same for a record that may be missing: null if the service answers 404. */
  find<B extends TSchema, A extends TSchema>(call: Call<B, A>, input?: CallInput<Static<B>>): Promise<Static<A> | null>
}

interface ClientOptions {
  /** The calling service; its signed name goes with every call. */
  name: ServiceName
  identity: Identity
  /** The addresses of each service: one for each of its instances. */
  urls: Readonly<Record<ServiceName, string | Addresses>>
  /** How it waits for services that restart; by default it does not. */
  restarts?: Restarts
  tracer?: Tracer
  timeoutMs?: number
}

const NamedFields = Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), { minItems: 1 })

const answerChecks = new WeakMap<TSchema, TypeCheck<TSchema>>()

/** The one client between services: typed by the contract, carrying the request's id, bounded in time. */
export function createClient({
  name,
  identity,
  urls,
  restarts = createRestarts(0),
  tracer = noTracer,
  timeoutMs = 5000,
}: ClientOptions): Client {
  const addressesOf = new Map(Object.entries(urls).map(([name, given]) => [name, [given].flat()]))
  const caller = { kind: 'service', subject: name, participantId: null, roles: [] } as const
  async function send(call: Call, input: CallInput<unknown>, at: { address: string; signal: AbortSignal }) {
    const trace = tracer.isOn ? tracer.below(currentTrace()) : null
    const url = `${at.address}${fill(call.path, input.params ?? {})}${search(input.query)}`
    const headers: Record<string, string> = { [identityHeader]: await identity.sign(caller, call.service) }
    const requestId = currentRequestId()
    if (requestId !== null) headers['x-request-id'] = requestId
    if (trace) headers.traceparent = traceparentOf(trace)
    if (input.idempotencyKey !== undefined) headers['idempotency-key'] = input.idempotencyKey
    if (call.body) headers['content-type'] = 'application/json'
    const body = call.body ? JSON.stringify(input.body) : undefined
    const startMs = performance.now()
    let status: number | null = null
    try {
      const answer = await fetchPeer(url, {
        method: call.method,
        headers,
        body,
        signal: at.signal,
        redirect: 'error',
      })
      status = answer.status
      return answer
    } finally {
      tracer.done(trace, startMs, () => askedPeer(`${call.method} ${call.path}`, call.service, status))
    }
  }

  const client: Client = {
    find: (call, input) => orNull(client.call(call, input)),
    call: async (call, input = {}) => {
      const { service } = call
      const odd = Object.values(input.params ?? {}).find((value) => pathless.has(value))
      if (odd !== undefined) throw new CallError('refused', service, `no path leads to ${JSON.stringify(odd)}`, 404)
      let signal: AbortSignal
      const ask = (address: string) => {
        signal = AbortSignal.timeout(input.timeoutMs ?? timeoutMs)
        return send(call, input, { address, signal })
      }
      const isRepeatable = call.method === 'GET' || input.idempotencyKey !== undefined
      // The usual time is for an answer; a restart may take longer. A caller with a time of its own has no more.
      const patience = { isRepeatable, timeoutMs: input.timeoutMs ?? Number.POSITIVE_INFINITY }
      const answer = await restarts
        .send(addressesOf.get(service) ?? [], ask, patience)
        .then(async (response) => ({
          status: response.status,
          ok: response.ok,
          text: await unlessAborted(signal, textOf(response, call.service, input.mostBytes)),
        }))
        .catch((error: unknown) => {
          if (isCallError(error)) throw error
          const late = error instanceof Error && error.name === 'TimeoutError'
          const problem = late ? 'timeout' : 'unreachable'
          const words = `The ${service} service ${late ? 'did not answer in time' : 'cannot be reached'}`
          throw new CallError(problem, service, words, null, { cause: causeOf(call, error) })
        })
      if (!answer.ok)
        throw new CallError('refused', service, wordsOf(answer.text), answer.status, { fields: fieldsOf(answer.text) })
      const value = parse(answer.text)
      if (!checkOf(call.answer).Check(value)) {
        const words = `The ${service} service gave an answer that breaks its contract`
        throw new CallError('broken', service, words, answer.status, { cause: mismatchOf(call, value) })
      }
      return value
    },
  }
  return client
}

/** The text of an answer; one that is too long counts as broken. */
async function textOf(response: Response, service: ServiceName, most: number | undefined): Promise<string> {
  if (most === undefined) return await response.text()
  const tooLong = () =>
    new CallError('broken', service, `The ${service} service gave an answer that is too long`, response.status)
  return (await readWithin(response.body, most, tooLong)).toString()
}

/** Why there was no answer. A URL in it would name the address of the service, which may hold a password. */
function causeOf({ method, path }: Call, error: unknown): Error {
  const code = codeOf(error)
  const words = messageOf(error).replaceAll(/https?:\/\/[^\s"']+/g, '(its address)')
  return new Error(`${method} ${path}: ${words}${code ? ` (${code})` : ''}`)
}

/** The first difference of an answer from its schema, without the answer's own values. */
function mismatchOf({ method, path, answer }: Call, value: unknown): Error {
  const first = checkOf(answer).Errors(value).First()
  const words = value === undefined ? 'no JSON' : `${first?.path || '/'}: ${first?.message}`
  return new Error(`${method} ${path}: ${words}`)
}

const checkOf = (schema: TSchema): TypeCheck<TSchema> =>
  answerChecks.getOrInsertComputed(schema, () => TypeCompiler.Compile(schema))

/** An address loses these, encoded or not, and would lead to another record. */
const pathless = new Set(['', '.', '..'])

const fill = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined) throw new Error(`${path} was called without ${name}`)
    return encodeURIComponent(value)
  })

const search = (query: Readonly<Record<string, string>> | undefined): string =>
  query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''

/** The message of an error answer, in any of the three shapes. */
function wordsOf(text: string): string {
  const body = parse(text) as { message?: unknown; error?: unknown } | undefined
  const inner =
    typeof body?.error === 'object' && body.error && 'message' in body.error ? body.error.message : undefined
  const words = inner ?? body?.message ?? body?.error
  return Array.isArray(words) ? words.join('; ') : typeof words === 'string' ? words : 'no reason given'
}

/** The fields that an error answer names as refused; undefined where it names none. */
function fieldsOf(text: string): FieldProblem[] | undefined {
  const body = parse(text) as { error?: { details?: unknown } | null } | undefined
  const details = body?.error?.details
  return Value.Check(NamedFields, details) ? details : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
