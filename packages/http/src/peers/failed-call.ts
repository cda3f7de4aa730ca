import { AppError } from '../errors/errors'
import type { CallError } from './client'

/**
 * What a failed call to another service is to our own caller: 503 when it cannot be reached, 504 when it is late, 502
 * otherwise; its own 503 and 504 are passed on. A route that may fail so says it by `errorResponses`.
 */
export function failedCall(error: CallError): AppError {
  const { problem, service, message } = error
  const [code, status] = kindOf(error)
  const words = problem === 'refused' ? `The ${service} service refused: ${message}` : message
  return new AppError(code, status, words, { cause: error })
}

function kindOf({ problem, status }: CallError): [code: string, status: number] {
  if (problem === 'unreachable' || status === 503) return ['SERVICE_UNAVAILABLE', 503]
  return problem === 'timeout' || status === 504 ? ['UPSTREAM_TIMEOUT', 504] : ['UPSTREAM_ERROR', 502]
}
