import { defineErrors } from '@bursar/http'

/** The error codes of this service (spec 3, Errors; decisions, Error codes). */
export const fail = defineErrors({
  NOT_FOUND: [404, 'Customer not found'],
  CONFLICT: [409, 'A customer with this externalId already exists'],
})
