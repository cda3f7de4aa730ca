import { type AppError, defineErrors } from '@bursar/http'

/** The error codes of this service (spec 3, Errors; decisions, Error codes). */
export const fail = defineErrors({
  INVALID_REQUEST: [400, 'The request is not valid'],
  NOT_FOUND: [404, 'Wallet not found'],
  CONFLICT: [409, 'The wallet account belongs to another account'],
  UNPROCESSABLE: [422, 'This cannot be done'],
  INTERNAL_ERROR: [500, 'The wallets could not be retrieved'],
  UPSTREAM_ERROR: [502, 'Another service gave an answer that cannot be used'],
  UPSTREAM_TIMEOUT: [504, 'The transaction was not broadcast in time; repeat the request with its Idempotency-Key'],
})

/** 400 because of one field: `problem` follows its name. */
export function invalid(field: string, problem: string): AppError {
  const message = `${field} ${problem}`
  return fail('INVALID_REQUEST', { message, details: [{ field, message }] })
}
