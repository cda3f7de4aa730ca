import { type Identity, idempotencyKeyOf, isCallError, keyOwner } from '@bursar/http'
import { fail } from './errors'

/** Errors of another service that are the caller's, and our code for each. */
const codes = new Map<number | null, 'INVALID_REQUEST' | 'NOT_FOUND' | 'CONFLICT' | 'UNPROCESSABLE' | 'RATE_LIMITED'>([
  [400, 'INVALID_REQUEST'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [422, 'UNPROCESSABLE'],
  [429, 'RATE_LIMITED'],
])

/**
 * The answer of a call on behalf of our caller: an error that is the caller's (400, 404,
 * 409, 422, 429) is passed on with its message and its fields. Other failures are unchanged: 502, 503, 504.
 */
export async function passOn<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    const code = isCallError(error) && error.problem === 'refused' && codes.get(error.status)
    throw code ? fail(code, { message: error.message, fields: error.fields, cause: error }) : error
  }
}

/**
 * The idempotency key for a call that carries out this request; {} when its caller sent none. At the other service all
 * our calls come from one caller: the key names the caller, the route and the caller's own key.
 */
export async function keyForPeer(identity: Identity, request: Request): Promise<{ idempotencyKey?: string }> {
  const key = idempotencyKeyOf(request)
  if (key === null) return {}
  const owner = keyOwner(await identity.read(request), request)
  const { pathname } = new URL(request.url)
  return { idempotencyKey: Bun.SHA256.hash(JSON.stringify([owner, request.method, pathname, key]), 'hex') }
}
