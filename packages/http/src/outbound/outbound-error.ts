export type OutboundReason = 'blocked' | 'timeout' | 'unreachable' | 'too-large' | 'invalid-url'

/** The part of an incomplete answer that had arrived. */
export interface BegunAnswer {
  status: number
  text: string
}

/**
 * An outgoing request without a usable answer. The message names only the host: no path, query, header or body, since
 * any of them may hold a key. So it may be shown to the caller and logged.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'

  constructor(
    readonly reason: OutboundReason,
    message: string,
    /** The network's error code (`ECONNREFUSED`, `ERR_TLS_CERT_ALTNAME_INVALID`), if there is one. */
    readonly code?: string,
    /** The begun answer, for requests with `keepBytes`. */
    readonly begun?: BegunAnswer,
  ) {
    super(message)
  }
}
