import { defineErrors } from '@bursar/http'

/** The error codes of this service (spec 3, Errors; decisions, Error codes). */
export const fail = defineErrors({
  INVALID_REQUEST: [400, 'The request is not valid'],
  NOT_FOUND: [404, 'Account not found'],
  CONFLICT: [409, 'An account with these ids already exists'],
  /** The ledger or the quote service failed, or cannot be reached (spec 3, Per-endpoint errors). */
  INTERNAL_ERROR: [500, 'Failed to retrieve the balance of the account'],
})
