import { CallError } from '@bursar/http'
import { fail } from '../errors'

/** Refusals of another service that are about what our caller asked for, and our code for each. */
const codes = new Map<number | null, 'INVALID_REQUEST' | 'NOT_FOUND' | 'CONFLICT' | 'UNPROCESSABLE'>([
  [400, 'INVALID_REQUEST'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [422, 'UNPROCESSABLE'],
])

/**
 * The answer of a call that is made for our caller: what the other service refuses as the caller's mistake (400, 404,
 * 409, 422) is refused in its words. Other failures stay what they are: 502, 503, 504.
 */
export async function passOn<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    const code = error instanceof CallError && error.problem === 'refused' && codes.get(error.status)
    throw code ? fail(code, { message: error.message, cause: error }) : error
  }
}
