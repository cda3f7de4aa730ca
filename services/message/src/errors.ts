import { defineErrors } from '@bursar/http'

/** Every error of this service's own (spec 3, Errors). */
export const fail = defineErrors({
  NOT_FOUND: [404, 'Message not found'],
  DATA_INVALID: [400, 'data does not fit the type of the message'],
})
