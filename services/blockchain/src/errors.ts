import { type AppError, defineErrors } from '@bursar/http'

/** The error codes of this service (spec 3, Errors; decisions, Error codes). */
export const fail = defineErrors({
  INVALID_REQUEST: [400, 'The request is not valid'],
  UNAUTHORIZED: [401, 'The request proves no participant'],
  NOT_FOUND: [404, 'Transaction not found'],
  CONFLICT: [409, 'Another transaction has this transactionId'],
  UNPROCESSABLE: [422, 'This cannot be carried out'],
  UPSTREAM_ERROR: [502, 'The network’s node failed; repeat the request in a moment'],
  SERVICE_UNAVAILABLE: [503, 'The network cannot be reached; repeat the request in a moment'],
  UPSTREAM_TIMEOUT: [504, 'The network’s node did not answer in time; repeat the request in a moment'],
})

/** 400 because of one field: `problem` follows its name. */
export function invalid(field: string, problem: string): AppError {
  const message = `${field} ${problem}`
  return fail('INVALID_REQUEST', { message, details: [{ field, message }] })
}
