import { defineErrors } from '@bursar/http'

/** The error codes of this service (spec 3, Errors). */
export const fail = defineErrors({
  EXTERNAL_ID_TAKEN: [409, 'A job of this kind with this externalId already exists'],
  JOB_NOT_FOUND: [404, 'Job not found'],
  HEADERS_INVALID: [400, 'callbackHeaders are not valid'],
  /** A failed source never means "not sanctioned". */
  SOURCE_UNAVAILABLE: [503, 'A source cannot be asked right now; repeat the request in a moment'],
  TRANSACTION_NOT_FOUND: [404, 'The blockchain does not know this transaction'],
  LIST_NOT_FOUND: [404, 'List not found'],
  LIST_NOT_DRAFT: [409, 'The list is not a draft any more'],
  LIST_INCOMPLETE: [400, 'The list does not have the entries that it should have'],
  LIST_OUTDATED: [409, 'The list is older than the one in use'],
  LIST_AHEAD: [409, 'The list is dated in the future'],
  LIST_SHRUNK: [409, 'The list has less than half the entries of the one in use'],
})
