export type OutboundReason = 'blocked' | 'timeout' | 'unreachable' | 'too-large' | 'invalid-url'

/** What had come of an answer that was not finished. */
export interface BegunAnswer {
  status: number
  text: string
}

/**
 * An outgoing request that got no answer we may use. The message names the host and nothing more of the request: no
 * path, query, header or body, since any of them may hold a key. So it may be shown to the caller and be logged.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'

  constructor(
    readonly reason: OutboundReason,
    message: string,
    /** The network's own word for it (`ECONNREFUSED`, `ERR_TLS_CERT_ALTNAME_INVALID`), where it gave one. */
    readonly code?: string,
    /** Where the answer had begun, of requests with `keepBytes`. */
    readonly begun?: BegunAnswer,
  ) {
    super(message)
  }
}
