import { defineErrors } from '@bursar/http'

/** The error codes of the tracker (spec 3, Tracker error codes). */
export const fail = defineErrors({
  INVALID_REQUEST: [400, 'The request is not valid'],
  NOT_FOUND: [404, 'Not found'],
  RATE_LIMITED: [429, 'Too many streams are open from this address; close one before opening another'],
  SERVICE_UNAVAILABLE: [503, 'The message queue is not available; repeat the request in a moment'],
})
