/** An answer that is not a success, or none at all (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly requestId: string | null
  /** For programs: `TRANSACTION_NOT_FROZEN`; null where the service's shape has none. */
  readonly code: string | null
  /** One sentence for each field that was refused. */
  readonly problems: readonly string[]
  /** Another copy of the request, with the same idempotency key, is still being worked on. */
  readonly isRunning: boolean

  constructor(
    status: number,
    message: string,
    more: Partial<Pick<ApiError, 'requestId' | 'code' | 'problems' | 'isRunning'>> = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.requestId = more.requestId ?? null
    this.code = more.code ?? null
    this.problems = more.problems ?? []
    this.isRunning = more.isRunning ?? false
  }

  /** Whether the request may have been carried out nevertheless: repeat it only with the same idempotency key. */
  get isUncertain(): boolean {
    return this.isRunning || this.status === 0 || this.status >= 500
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Reads an error in any of the three shapes of the services (spec 3, Errors). */
export function toApiError(status: number, body: unknown, headers = new Headers()): ApiError {
  const { error, message, requestId, details } = fields(body)
  const own = fields(error)
  const sentences = [own.message, message, error]
    .flatMap((each) => (Array.isArray(each) ? each : [each]))
    .flatMap((each) => text(each) ?? [])
  // The third shape also contains the name of the HTTP status, which adds nothing.
  const said = message === undefined ? sentences : sentences.filter((each) => each !== error)
  return new ApiError(status, said[0] ?? statusSentence(status), {
    requestId: text(own.requestId) ?? text(requestId) ?? headers.get('x-request-id'),
    code: text(own.code),
    problems: said.length > 1 ? said : problemsOf(own.details ?? details),
    // docs/api.md, Repeating a request: no other 409 has it.
    isRunning: status === 409 && headers.has('retry-after'),
  })
}

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const problemsOf = (details: unknown): string[] =>
  Array.isArray(details) ? details.flatMap((detail) => text(fields(detail).message) ?? []) : []

function statusSentence(status: number): string {
  if (status === 0) return 'The gateway cannot be reached'
  if (status === 401) return 'The session has ended'
  if (status === 403) return 'Your role does not allow this'
  if (status === 404) return 'This does not exist'
  return `The service answered with status ${status}`
}

/** The error of a request that got no answer. */
export const noAnswer = (): ApiError => new ApiError(0, 'The gateway cannot be reached')

/** Any thrown value as an ApiError. */
export const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(0, error instanceof Error ? error.message : String(error))
