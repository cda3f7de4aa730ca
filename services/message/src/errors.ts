import { defineErrors } from '@bursar/http'

/** The error codes of this service (spec 3, Errors). */
export const fail = defineErrors({
  NOT_FOUND: [404, 'Message not found'],
  DATA_INVALID: [400, 'data does not fit the type of the message'],
})
