import { defineErrors } from '@bursar/http'

/** The error codes of the gateway itself, always in shape 1 (decisions, Who may call 1). */
export const fail = defineErrors({
  INVALID_REQUEST: [400, 'The request is not valid'],
  UNAUTHORIZED: [401, 'Send the access token in Authorization: Bearer …, or the API key in X-API-KEY'],
  TOKEN_EXPIRED: [401, 'The access token has expired; refresh it, or log in again'],
  INVALID_API_KEY: [401, 'The API key is not valid'],
  FORBIDDEN: [403, 'Your role does not allow this'],
  ADDRESS_NOT_ALLOWED: [403, 'This API key may not be used from this address'],
  PASSWORD_CHANGE_REQUIRED: [403, 'Choose a new password before anything else'],
  SECOND_FACTOR_REQUIRED: [403, 'Set up a second factor before anything else'],
  SECOND_FACTOR_NEEDED: [403, 'Verify your second factor: this requires a verification within the last five minutes'],
  INSTITUTION_PAUSED: [403, 'Your institution is paused: it may read, and nothing else'],
  NOT_FOUND: [404, 'Nothing is served at this path'],
  METHOD_NOT_ALLOWED: [405, 'This path does not support this method'],
  PAYLOAD_TOO_LARGE: [413, 'The body is larger than 1 MiB'],
  RATE_LIMITED: [429, 'Too many requests; Retry-After says when to retry'],
  HEADERS_TOO_LARGE: [431, 'The address and the headers of the request are longer than 16 KiB'],
  UPSTREAM_ERROR: [502, 'The service’s answer was aborted; the request may have been carried out'],
  SERVICE_UNAVAILABLE: [503, 'The service cannot be reached right now; repeat the request in a moment'],
  UPSTREAM_TIMEOUT: [504, 'The service did not answer in time; the request may still be carried out'],
})
