import { defineErrors } from '@bursar/http'

/** Every error of this service's own (spec 3, Errors). */
export const fail = defineErrors({
  DELIVERY_NOT_FOUND: [404, 'Delivery not found'],
  NO_DELIVERY: [404, 'There is no delivery for this request id'],
  ENDPOINT_NOT_FOUND: [404, 'Endpoint not found'],
  PARTICIPANT_NOT_FOUND: [404, 'Participant not found'],
  RESOURCES_INVALID: [400, 'resourceId cannot be used'],
  URL_REFUSED: [400, 'url cannot be used'],
  TOO_MANY_ENDPOINTS: [409, 'The participant has as many endpoints as it may have'],
  ENDPOINT_DISABLED: [409, 'The endpoint is disabled; enable it first'],
  INSTITUTION_ENDED: [409, 'The institution was offboarded or deleted; nothing is sent for it'],
  NO_ENDPOINT: [409, 'No enabled endpoint takes this delivery'],
})
