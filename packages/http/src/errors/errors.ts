/** One field that was refused, and why: a whole sentence that begins with the field's name. */
export interface FieldProblem {
  field: string
  message: string
}

/**
 * An error answer. The domain throws it through its service's `fail`; which of the three body shapes
 * it gets is decided once per service. `message` and `details` are for the caller, `cause` for the log.
 */
export class AppError extends Error {
  readonly details: unknown
  /** Set where fields were refused. */
  readonly fields: readonly FieldProblem[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    readonly code: string,
    readonly status: number,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.details = options.details
    this.fields = options.fields
    this.headers = options.headers ?? {}
  }
}

interface ErrorOptions {
  details?: unknown
  cause?: unknown
  fields?: readonly FieldProblem[]
  headers?: Readonly<Record<string, string>>
}

type Catalogue = Record<string, readonly [status: number, message: string]>

/**
 * A service's error catalogue, and the function that creates one of them:
 * `const fail = defineErrors({ ASSET_NOT_FOUND: [404, 'Asset not found'] })`, then `throw fail('ASSET_NOT_FOUND')`.
 */
export const defineErrors =
  <const C extends Catalogue>(catalogue: C) =>
  (code: keyof C & string, options: ErrorOptions & { message?: string } = {}): AppError => {
    const [status, message] = catalogue[code] as C[string]
    return new AppError(code, status, options.message ?? message, options)
  }

/** The errors that any service can answer. */
export const failCommon = defineErrors({
  INVALID_REQUEST: [400, 'The request is not valid'],
  UNAUTHORIZED: [401, 'The x-identity token is not valid for this service'],
  TOKEN_EXPIRED: [401, 'The x-identity token has expired'],
  INSTITUTION_PAUSED: [403, 'Your institution is paused: it may read, and nothing else'],
  NOT_FOUND: [404, 'Nothing is served at this path'],
  METHOD_NOT_ALLOWED: [405, 'This path does not support this method'],
  CONFLICT: [409, 'A request with this Idempotency-Key is still being worked on; repeat it in a moment'],
  PAYLOAD_TOO_LARGE: [413, 'The body is larger than 1 MiB'],
  RATE_LIMITED: [429, 'Too many requests; wait before the next one'],
  UNPROCESSABLE: [422, 'This Idempotency-Key was used for another request'],
  INTERNAL_ERROR: [500, 'Internal server error'],
  SERVICE_UNAVAILABLE: [503, 'The service is not available right now; repeat the request in a moment'],
})
