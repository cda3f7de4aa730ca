import { defineErrors } from '@bursar/http'

/** The error codes of this service (spec 3, Errors; decisions, Error codes). */
export const fail = defineErrors({
  INVALID_REQUEST: [400, 'The request is not valid'],
  NOT_FOUND: [404, 'Participant not found'],
  CONFLICT: [409, 'The participant is just being changed by another request; repeat yours in a moment'],
  /** The customer service, the account service, or a service behind them. */
  UPSTREAM_ERROR: [502, 'Another service gave an answer that cannot be used'],
  UPSTREAM_TIMEOUT: [504, 'Another service did not answer in time; repeat the request in a moment'],
})

export type ErrorCode = Parameters<typeof fail>[0]
