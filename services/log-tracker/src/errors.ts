import { defineErrors } from '@bursar/http'

/** What the tracker answers when it cannot do as asked (spec 3, Tracker error codes). */
export const fail = defineErrors({
  INVALID_REQUEST: [400, 'The request is not valid'],
  SERVICE_UNAVAILABLE: [503, 'The message queue is not available; repeat the request in a moment'],
})
