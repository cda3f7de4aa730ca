import { STATUS_CODES } from 'node:http'
import { Kind, type TSchema } from '@sinclair/typebox'
import { errorSchemas } from '../errors/error-schemas'
import { type ErrorShape, errorBody } from '../errors/error-shapes'
import { failCommon } from '../errors/errors'
import { type Json, type SchemaCollector, unwrapped } from './openapi-schema'

/** A route's declaration of its answers, in Elysia's hooks. */
export interface AnswerHooks {
  /** One schema (of status 200) or one for each status. */
  response?: TSchema | Record<string, TSchema>
  detail?: { responses?: Record<string, Json> }
}

export type ResponseCollector = ReturnType<typeof collectResponses>

/** Collects the responses of operations. Failures shared by several are in `shared`, for `components.responses`. */
export function collectResponses(shape: ErrorShape, schemas: SchemaCollector) {
  const shared: Record<string, Json> = {}
  const errorSchema = schemas.add({ ...errorSchemas[shape], title: 'Error' })
  /** The gateway answers in shape 1, whatever the service's own is (decisions, Who may call 1). */
  const limitSchema = () =>
    shape === 'object' ? errorSchema : schemas.add({ ...errorSchemas.object, title: 'GatewayError' })

  function usualFailure(status: string): Json {
    const description = usualFailures.get(status)?.[0] ?? STATUS_CODES[status] ?? 'Failure'
    const name = (STATUS_CODES[status] ?? `Status${status}`).replaceAll(/\W/g, '')
    const isLimit = status === '429'
    if (!Object.hasOwn(shared, name))
      shared[name] = {
        description,
        headers: headersOf(status),
        content: json({
          schema: isLimit ? limitSchema() : errorSchema,
          ...exampleOf(isLimit ? 'object' : shape, status),
        }),
      }
    return { $ref: `#/components/responses/${name}` }
  }

  function answer(status: string, schema: Json | undefined, own: Json, headers: Json): Json {
    const description = schema?.description ?? STATUS_CODES[status] ?? 'Answer'
    if (!schema || hasNoBody(schema)) return { description, headers, ...own }
    const converted = schemas.add(schema)
    const content = converted.type === 'string' ? { 'text/plain': { schema: converted } } : json({ schema: converted })
    return { description, headers, content, ...own }
  }

  return {
    shared,
    /** All responses of a route; `failures`: the statuses that its kind implies. */
    of({ response, detail }: AnswerHooks, failures: readonly number[], { replays }: { replays: boolean }): Json {
      const answers = answersIn(response)
      const documented = detail?.responses ?? {}
      const statuses = new Set([...Object.keys(answers), ...Object.keys(documented), ...failures.map(String)])
      if (![...statuses].some((status) => status < '400')) statuses.add('200')
      const responseOf = (status: string): Json => {
        const own = documented[status]
        if (answers[status] || status < '400') {
          return answer(status, answers[status], own ?? {}, replays ? { ...headers, ...replayed } : headers)
        }
        return own
          ? { headers: headersOf(status), content: json({ schema: errorSchema }), ...own }
          : usualFailure(status)
      }
      return Object.fromEntries([...statuses].map((status) => [status, responseOf(status)]))
    },
  }
}

const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }
const replayed = { 'idempotent-replayed': { $ref: '#/components/headers/IdempotentReplayed' } }
const retryAfter = { 'retry-after': { $ref: '#/components/headers/RetryAfter' } }
const limits = {
  ...retryAfter,
  ratelimit: { $ref: '#/components/headers/RateLimit' },
  'ratelimit-policy': { $ref: '#/components/headers/RateLimitPolicy' },
}
const headersOf = (status: string): Json => {
  if (status === '429') return { ...headers, ...limits }
  return status === '503' || status === '409' ? { ...headers, ...retryAfter } : headers
}
const json = (media: Json): Json => ({ 'application/json': media })

const usualFailures = new Map<string, readonly [description: string, code: Parameters<typeof failCommon>[0]]>([
  ['400', ['The request is not valid; the error names every field that was refused', 'INVALID_REQUEST']],
  ['404', ['There is no such resource', 'NOT_FOUND']],
  ['409', ['A request with this Idempotency-Key is still being worked on', 'CONFLICT']],
  ['413', ['The body is larger than 1 MiB', 'PAYLOAD_TOO_LARGE']],
  ['422', ['This Idempotency-Key was used for another request', 'UNPROCESSABLE']],
  ['429', ['The caller exceeded its rate limit; Retry-After gives the seconds to wait', 'RATE_LIMITED']],
  ['500', ['The service failed; the request itself may be fine', 'INTERNAL_ERROR']],
  ['503', ['The service, or one that it needs, is not available right now', 'SERVICE_UNAVAILABLE']],
])

/** An error as the service would write it. */
function exampleOf(shape: ErrorShape, status: string): Json {
  const code = usualFailures.get(status)?.[1]
  if (!code) return {}
  const fields = [{ field: 'name', message: 'name should not be empty' }]
  const options = new Map<string, Parameters<typeof failCommon>[1]>([
    ['400', { message: 'name should not be empty', fields }],
    ['429', { details: { limit: 100, remaining: 0, resetAt: '2026-01-31T12:00:01.000Z' } }],
  ])
  const error = failCommon(code, options.get(status))
  const place = { requestId: 'req-7f3a', path: '/v1/example', timestamp: '2026-01-31T12:00:00.000Z' }
  return { example: errorBody(shape, error, place) }
}

function answersIn(response: AnswerHooks['response'] = {}): Record<string, Json> {
  const answers = Kind in response ? { 200: response as Json } : (response as Record<string, Json>)
  return Object.fromEntries(Object.entries(answers).map(([status, schema]) => [status, unwrapped(schema)]))
}

const hasNoBody = ({ type }: Json): boolean => type === 'void' || type === 'undefined' || type === 'null'
