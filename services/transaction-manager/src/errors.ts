import { type AppError, defineErrors } from '@bursar/http'

/** The error codes of this service (decisions, Error codes). */
export const fail = defineErrors({
  INVALID_REQUEST: [400, 'The request is not valid'],
  NOT_FOUND: [404, 'Transaction not found'],
  CONFLICT: [409, 'The transaction was changed by another request'],
  UNPROCESSABLE: [422, 'The transaction is not possible'],
})

/** 400 for one field; the problem follows its name. */
export function badField(field: string, problem: string): AppError {
  const message = `${field} ${problem}`
  return fail('INVALID_REQUEST', { message, fields: [{ field, message }] })
}
