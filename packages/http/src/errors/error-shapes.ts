import { STATUS_CODES } from 'node:http'
import type { AppError } from './errors'

/** What of the request goes into an error's body. */
interface ErrorPlace {
  requestId: string
  path: string
  timestamp: string
}

/**
 * The three body shapes of spec 3, Errors. `object` is the first of its table (tracker, participant, account,
 * customer, wallet and those that decide for it), `list` the second (sanctions, message, webhook), `message` the
 * third (quote and core ledger).
 */
export type ErrorShape = 'object' | 'list' | 'message'

const messages = (error: AppError): string[] => error.fields?.map((problem) => problem.message) ?? [error.message]

const shapes: Record<ErrorShape, (error: AppError, place: ErrorPlace) => object> = {
  object: (error, { requestId, timestamp }) => {
    const details = error.fields ?? error.details
    return {
      error: { code: error.code, message: error.message, ...(details ? { details } : {}), requestId, timestamp },
    }
  },
  list: (error, place) => ({ statusCode: String(error.status), error: messages(error), ...place }),
  message: (error, { path, timestamp }) => ({
    statusCode: error.status,
    message: error.fields ? messages(error) : error.message,
    error: STATUS_CODES[error.status] ?? 'Error',
    ...(error.details ? { details: error.details } : {}),
    timestamp,
    path,
  }),
}

/** The error's body in a service's shape. */
export const errorBody = (shape: ErrorShape, error: AppError, place: ErrorPlace): object => shapes[shape](error, place)
