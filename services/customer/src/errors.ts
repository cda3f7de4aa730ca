import { defineErrors } from '@bursar/http'

/** Every error of this service (spec 3, Errors; decisions, Error codes). */
export const fail = defineErrors({
  NOT_FOUND: [404, 'Customer not found'],
  CONFLICT: [409, 'A customer with this externalId already exists'],

  /** The account service, or who it asks in turn. */
  UPSTREAM_ERROR: [502, 'Another service gave an answer that cannot be used'],
  SERVICE_UNAVAILABLE: [503, 'Another service cannot be reached right now; repeat the request in a moment'],
  UPSTREAM_TIMEOUT: [504, 'Another service did not answer in time; repeat the request in a moment'],
})
