/** One field that was refused, and why. */
export interface FieldProblem {
  /** Empty where the service names the field in the message alone. */
  readonly field: string
  readonly message: string
}

/** What was asked, for the error that came of it. */
export interface Asked {
  /** `POST /core/v1/transactions/withdrawal`: the route, without ids and credentials. */
  readonly operation: string
  readonly requestId: string
  readonly idempotencyKey: string | null
  /** Whether an attempt before this one may have been carried out. */
  readonly wasLost?: boolean
}

/** What became of a request that did not succeed. */
export interface Failure {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly fields?: readonly FieldProblem[]
  readonly details?: unknown
  readonly retryAfterMs?: number | null
  readonly cause?: unknown
}

/** An answer that is no success, or none at all. Its message is for people; programs decide by status and code. */
export class BursarError extends Error {
  /** The HTTP status; 0 where no answer came, or none that can be read. */
  readonly status: number
  /** `RATE_LIMITED`: the service's own, or that of the status for services whose errors have none. `NO_ANSWER` for status 0. */
  readonly code: string
  /** Every field that was refused. */
  readonly fields: readonly FieldProblem[]
  /** What else is known; of a limit `limit`, `remaining` and `resetAt`. */
  readonly details: unknown
  /** What logs and events call the request: tell it to the operators. */
  readonly requestId: string
  readonly operation: string
  /** The key that the request was sent with; null for none. The same request with it acts once. */
  readonly idempotencyKey: string | null
  /** How long the server asks to wait, in milliseconds; null where it does not say. */
  readonly retryAfterMs: number | null
  /**
   * Whether a write may have been carried out nevertheless, by this attempt or one before it: repeat it with the same
   * idempotencyKey, or look it up.
   */
  readonly isUncertain: boolean

  constructor(failure: Failure, { operation, requestId, idempotencyKey, wasLost = false }: Asked) {
    super(`${operation}: ${failure.message}`, failure.cause === undefined ? undefined : { cause: failure.cause })
    this.name = 'BursarError'
    this.status = failure.status
    this.code = failure.code
    this.fields = failure.fields ?? []
    this.details = failure.details
    this.retryAfterMs = failure.retryAfterMs ?? null
    this.requestId = requestId
    this.operation = operation
    this.idempotencyKey = idempotencyKey
    // The first request with the same key, which another call may have sent, is still running.
    const isRunning = failure.status === 409 && this.retryAfterMs !== null
    const isOpen = wasLost || isRunning || failure.status === 0 || failure.status >= 500
    this.isUncertain = isOpen && !operation.startsWith('GET ')
  }
}

/** The codes of statuses (docs/api.md, Errors), for services whose errors have no code of their own. */
const codes: Readonly<Record<number, string>> = {
  400: 'INVALID_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  422: 'UNPROCESSABLE',
  429: 'RATE_LIMITED',
  431: 'HEADERS_TOO_LARGE',
  500: 'INTERNAL_ERROR',
  502: 'UPSTREAM_ERROR',
  503: 'SERVICE_UNAVAILABLE',
  504: 'UPSTREAM_TIMEOUT',
}

/** Reads an error's body in any of the three forms of the services, in that of OAuth (RFC 6749, 5.2), or in none of them. */
export function failureOf(response: Response, body: unknown): Failure {
  const { status } = response
  const { error, error_description: description, message, details } = objectOf(body)
  const own = objectOf(error)
  // The third form has the name of the status in `error`, which adds nothing to its message.
  const sentences = [own.message ?? message ?? description ?? error].flat().filter(isText)
  const known = own.details ?? details
  const fields = fieldsOf(known)
  return {
    status,
    code: [own.code, isText(description) ? error : null].find(isText) ?? codes[status] ?? `HTTP_${status}`,
    message: sentences.join('; ') || `it was answered with status ${status}`,
    fields:
      fields.length > 0 || sentences.length < 2 ? fields : sentences.map((each) => ({ field: '', message: each })),
    details: known,
    retryAfterMs: retryAfterOf(response.headers),
  }
}

/** A request without a usable answer: what happened to it is not known. */
export const noAnswer = (cause: unknown): Failure => ({
  status: 0,
  code: 'NO_ANSWER',
  message: `no usable answer came (${wordsOf(cause)})`,
  cause,
})

const wordsOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return cause.name === 'TimeoutError' ? 'it took too long' : cause.message
}

/** `Retry-After` in milliseconds: seconds, or a date, which is compared with the server's own clock. */
export function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const until = Date.parse(text) - Date.parse(headers.get('date') ?? '')
  return Number.isNaN(until) ? null : Math.max(0, until)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const fieldsOf = (details: unknown): FieldProblem[] =>
  (Array.isArray(details) ? details : [])
    .map(objectOf)
    .flatMap(({ field, message }) => (isText(field) && isText(message) ? [{ field, message }] : []))
