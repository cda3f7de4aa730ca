import type { Needs } from '../access/needs'
import type { Json } from './open-api'

const schemaName = 'gateway.Error'
const schema = { $ref: `#/components/schemas/${schemaName}` }

/** The gateway's own errors: in shape 1, whatever the service's shape (decisions, Who may call 1). */
const described = new Map<string, readonly [name: string, code: string, description: string]>([
  [
    '401',
    ['Unauthorized', 'UNAUTHORIZED', 'UNAUTHORIZED, TOKEN_EXPIRED or INVALID_API_KEY: the credentials are not valid'],
  ],
  ['403', ['Forbidden', 'FORBIDDEN', 'The caller’s role does not allow this']],
  ['429', ['TooManyRequests', 'RATE_LIMITED', 'The caller’s limit is reached; Retry-After says when to retry']],
  ['502', ['BadGateway', 'UPSTREAM_ERROR', 'The service’s answer was aborted; the request may have been carried out']],
  ['503', ['ServiceUnavailable', 'SERVICE_UNAVAILABLE', 'The service cannot be reached right now']],
  [
    '504',
    ['GatewayTimeout', 'UPSTREAM_TIMEOUT', 'The service did not answer in time; the request may still be carried out'],
  ],
])

const text = { type: 'string' }
const integer = { type: 'integer' }

/** The gateway's own components. */
export function gatewayResponses(): Record<string, Json> {
  return {
    schemas: {
      [schemaName]: {
        title: 'GatewayError',
        type: 'object',
        required: ['error'],
        properties: {
          error: {
            type: 'object',
            required: ['code', 'message', 'requestId', 'timestamp'],
            description: 'The error',
            properties: {
              code: { ...text, description: 'For programs: stable, unlike the message' },
              message: { ...text, description: 'For people' },
              details: { description: 'Further data: for a limit, `limit`, `remaining` and `resetAt`' },
              requestId: { ...text, description: 'The x-request-id of the request' },
              timestamp: { ...text, format: 'date-time', description: 'The time of the error' },
            },
          },
        },
      },
    },
    headers: {
      'gateway.RetryAfter': { description: 'How many seconds to wait before the next request', schema: integer },
      'gateway.RateLimit': { description: 'The remainder of the caller’s limit', schema: text },
      'gateway.RateLimitPolicy': {
        description: 'The caller’s limit, and its period in seconds',
        schema: text,
      },
    },
    responses: Object.fromEntries(
      [...described].map(([status, [name, code, description]]) => [
        `gateway.${name}`,
        {
          description,
          ...(status === '429' ? { headers: limits } : {}),
          content: json({ schema, example: exampleOf(status, code) }),
        },
      ]),
    ),
  }
}

const limits = {
  'retry-after': { $ref: '#/components/headers/gateway.RetryAfter' },
  ratelimit: { $ref: '#/components/headers/gateway.RateLimit' },
  'ratelimit-policy': { $ref: '#/components/headers/gateway.RateLimitPolicy' },
}
const json = (media: Json): Json => ({ 'application/json': media })

function exampleOf(status: string, code: string): Json {
  const details = status === '429' ? { details: { limit: 25, remaining: 0, resetAt: '2026-01-31T12:00:01.000Z' } } : {}
  const message = described.get(status)?.[2] ?? code
  return { error: { code, message, ...details, requestId: 'req-7f3a', timestamp: '2026-01-31T12:00:00.000Z' } }
}

/**
 * An operation's answers and those of the gateway. If the service has the same status, its
 * own description stays: the body shows whose answer it is.
 */
export function withGatewayResponses(
  responses: Record<string, Json>,
  { needs, roles }: { needs: Needs; roles: boolean },
): Record<string, Json> {
  const given = [
    '429',
    '502',
    '503',
    '504',
    ...(needs === 'nothing' ? [] : ['401']),
    ...(roles && needs !== 'nothing' ? ['403'] : []),
  ]
  const own = Object.fromEntries(
    given.map((status) => [status, { $ref: `#/components/responses/gateway.${described.get(status)?.[0]}` }]),
  )
  const limit = own['429']
  return { ...own, ...responses, ...(limit ? { 429: limit } : {}) }
}
