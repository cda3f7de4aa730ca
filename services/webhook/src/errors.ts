import { defineErrors } from '@bursar/http'

/** The error codes of this service (spec 3, Errors). */
export const fail = defineErrors({
  DELIVERY_NOT_FOUND: [404, 'Delivery not found'],
  NO_DELIVERY: [404, 'There is no delivery for this request id'],
  ENDPOINT_NOT_FOUND: [404, 'Endpoint not found'],
  PARTICIPANT_NOT_FOUND: [404, 'Participant not found'],
  RESOURCES_INVALID: [400, 'resourceId cannot be used'],
  URL_REFUSED: [400, 'url cannot be used'],
  TOO_MANY_ENDPOINTS: [409, 'The participant has the maximum number of endpoints'],
  ENDPOINT_DISABLED: [409, 'The endpoint is disabled; enable it first'],
  INSTITUTION_ENDED: [409, 'The institution was offboarded or deleted; nothing is sent for it'],
  NO_ENDPOINT: [409, 'No enabled endpoint subscribes to this delivery'],
})
