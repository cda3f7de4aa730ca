/** The connection could not be made: the service has seen nothing of the request. */
const neverSent = new Set([
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'DNS_ENOTFOUND',
  'ENOENT',
])

/** Nothing listens there: as while a service starts again. */
const refused = new Set(['ConnectionRefused', 'FailedToOpenSocket', 'ECONNREFUSED'])

/** The connection broke: whether the service has seen the request is not known. */
const broken = new Set(['ECONNRESET', 'ConnectionClosed', 'EPIPE', 'ConnectionReset'])

/** A unix socket could not be connected to. `EAGAIN`: its queue of connections is full, where TCP would wait. */
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

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** True when the service cannot have seen the request. */
export const wasNeverSent = (error: unknown): boolean => neverSent.has(codeOf(error))

/** True when nothing listens there. */
export const wasRefused = (error: unknown): boolean => refused.has(codeOf(error))

/** True when the connection ended before an answer. */
export const hasEnded = (error: unknown): boolean => broken.has(codeOf(error))

/** True when a request was not sent because its unix socket could not be connected to. */
export const wasNotConnected = (error: unknown): boolean => notConnected.has(codeOf(error))
