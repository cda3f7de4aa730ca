import { defineErrors } from '@bursar/http'

/** The error codes of this service (decisions, Error codes). */
export const fail = defineErrors({
  INVALID_REQUEST: [400, 'The request is not valid'],
  UNAUTHORIZED: [401, 'The address or the password is wrong'],
  NOT_FOUND: [404, 'User not found'],
  CONFLICT: [409, 'A user with this address already exists'],
  RATE_LIMITED: [429, 'Too many attempts; wait before the next one'],
  SERVICE_UNAVAILABLE: [503, 'Too many passwords are being checked right now; repeat the request in a moment'],
})

/** Refuses one field; the problem follows its name. */
export const refuse = (field: string, problem: string) =>
  fail('INVALID_REQUEST', { message: `${field} ${problem}`, fields: [{ field, message: `${field} ${problem}` }] })
