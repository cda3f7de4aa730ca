import { defineErrors } from '@bursar/http'

/** Every error of this service's own. */
export const fail = defineErrors({
  NOT_FOUND: [404, 'Sample not found'],
})
