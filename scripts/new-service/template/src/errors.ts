import { defineErrors } from '@bursar/http'

/** Every error of this service. */
export const fail = defineErrors({
  SAMPLE_NOTE_NOT_FOUND: [404, 'Sample note not found'],
})
