import { type AppError, defineErrors, type FieldProblem } from '@bursar/http'

/** The error codes of this service. */
export const fail = defineErrors({
  INVALID_REQUEST: [400, 'The request is not valid'],
  UNAUTHORIZED: [401, 'No participant is found in the request: send its API key in X-API-KEY'],
  INVALID_API_KEY: [401, 'The API key in X-API-KEY is not valid'],
  NOT_FOUND: [404, 'Participant not found'],
  CONFLICT: [409, 'This contradicts what is stored'],
  /** FOUR_EYES_USD: see reviews/reviews.ts. */
  REGISTERED_BY_SAME_PERSON: [409, 'You have registered it yourself; another person must approve it'],
  SERVICE_UNAVAILABLE: [503, 'Too many files are being uploaded right now; repeat the request in a moment'],
  RATE_LIMITED: [429, 'Too many requests; wait before the next one'],
  UNPROCESSABLE: [422, 'This Idempotency-Key was used for another request'],
})

/** 400 for these fields. */
export const badFields = (...fields: FieldProblem[]): AppError =>
  fail('INVALID_REQUEST', { message: fields.map(({ message }) => message).join('; '), fields })
