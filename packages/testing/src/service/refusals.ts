import type { ErrorShape } from '@bursar/http'
import type { Answer } from './requests'

/** The contents of an error by its shape; time, path and request id are checked and left out. */
export interface Refusals {
  object: { code: string; message: string; details?: unknown }
  list: { message: string[] }
  message: { message: string | string[]; details?: unknown }
}

/** Reads an error's body; null if a field is missing (spec 3, Errors). */
const readers: { [S in ErrorShape]: (answer: Answer) => Refusals[S] | null } = {
  object: ({ body }) => {
    const { code, message, details, requestId, timestamp } = body?.error ?? {}
    if (typeof code !== 'string' || typeof message !== 'string' || !requestId || !timestamp) return null
    return details === undefined ? { code, message } : { code, message, details }
  },
  list: ({ status, body }) => {
    const { statusCode, error, requestId, path, timestamp } = body ?? {}
    const isWhole = statusCode === String(status) && Array.isArray(error) && requestId && path && timestamp
    return isWhole ? { message: error } : null
  },
  message: ({ status, body }) => {
    const { statusCode, message, error, details, path, timestamp } = body ?? {}
    if (statusCode !== status || !message || typeof error !== 'string' || !path || !timestamp) return null
    return details === undefined ? { message } : { message, details }
  },
}

/**
 * Checks of refusals: `const refused = refusedAs('object')`, then
 * `expect(refused(answer, 404).message).toBe('Asset not found')`. Throws if the answer has another status, or
 * its body lacks a field.
 */
export const refusedAs =
  <S extends ErrorShape>(shape: S) =>
  (answer: Answer, status: number): Refusals[S] => {
    const refusal = readers[shape](answer)
    if (answer.status === status && refusal) return refusal
    throw new Error(`Expected an error ${status}, got ${answer.status} ${JSON.stringify(answer.body)}`)
  }
