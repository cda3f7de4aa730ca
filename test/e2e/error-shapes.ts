import type { ServiceName } from '@bursar/contracts/services'
import type { Answered } from './through-gateway'

/** Decisions and spec 3, Errors: which of the three shapes a service answers errors in. */
const shapeOf: Record<ServiceName, 1 | 2 | 3> = {
  account: 1,
  blockchain: 1,
  'core-ledger': 3,
  customer: 1,
  gateway: 1,
  'identity-manager': 1,
  'log-tracker': 1,
  'main-api': 1,
  message: 2,
  notification: 1,
  participant: 1,
  quote: 3,
  sanctions: 2,
  'transaction-manager': 1,
  wallet: 1,
  webhook: 2,
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isTime = (value: unknown): boolean => typeof value === 'string' && new Date(value).toISOString() === value
const isDetail = (detail: { field?: unknown; message?: unknown }): boolean =>
  isText(detail.field) && isText(detail.message)

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
type Body = any

const isInShape: Record<1 | 2 | 3, (body: Body, status: number) => boolean> = {
  1: ({ error }) =>
    /^[A-Z_]+$/.test(error?.code) &&
    isText(error.message) &&
    (error.details === undefined || (Array.isArray(error.details) && error.details.every(isDetail))) &&
    (error.requestId === undefined || isText(error.requestId)) &&
    (error.timestamp === undefined || isTime(error.timestamp)),
  2: ({ statusCode, error, requestId, path, timestamp }, status) =>
    statusCode === `${status}` &&
    Array.isArray(error) &&
    error.length > 0 &&
    error.every(isText) &&
    isText(requestId) &&
    isText(path) &&
    isTime(timestamp),
  3: ({ statusCode, message, error }, status) =>
    statusCode === status && (isText(message) || (Array.isArray(message) && message.every(isText))) && isText(error),
}

/** How a body differs from the error that this service should answer with this status; null if it does not. */
export function shapeProblem(service: ServiceName, { status, body }: Answered, expected: number): string | null {
  if (status !== expected) return `${status}, not ${expected}`
  return body && isInShape[shapeOf[service]](body, status) ? null : `not in shape ${shapeOf[service]}`
}
