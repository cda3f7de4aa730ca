/** Codes if nothing listens there, as while a service restarts. */
const refused = new Set(['ConnectionRefused', 'FailedToOpenSocket', 'ECONNREFUSED'])

/** Codes of connections that could not be made: the service has seen nothing of the request. */
const neverSent = new Set([...refused, 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'DNS_ENOTFOUND', 'ENOENT'])

/** Codes of broken connections: it is unknown whether the service has seen the request. */
const broken = new Set(['ECONNRESET', 'ConnectionClosed', 'EPIPE', 'ConnectionReset'])

/** Codes of a unix socket that cannot be connected to. `EAGAIN`: its connection queue is full, where TCP would wait. */
const notConnected = new Set([
  ...neverSent,
  'EAGAIN',
  'EACCES',
  'EPERM',
  'ENOTDIR',
  'ENOTSOCK',
  'EPROTOTYPE',
  'ENAMETOOLONG',
])

/** The code of a system's error; empty for none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** True when the service cannot have seen the request. */
export const wasNeverSent = (error: unknown): boolean => neverSent.has(codeOf(error))

/** True when nothing listens there. */
export const wasRefused = (error: unknown): boolean => refused.has(codeOf(error))

/** True when the connection ended before an answer. */
export const hasEnded = (error: unknown): boolean => broken.has(codeOf(error))

/** True when a request was not sent because its unix socket could not be connected to. */
export const wasNotConnected = (error: unknown): boolean => notConnected.has(codeOf(error))
