import type { AppError } from '@bursar/http'
import { fail } from '../errors'

/** The connection could not be made: the service has seen nothing of the request. */
const unreachable = new Set([
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'DNS_ENOTFOUND',
  'ENOENT',
])

/** True when the service cannot have seen the request. */
export const wasNeverSent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && unreachable.has(String(error.code))

/** The caller's error for a failed request to a service. */
export function upstreamFailure(cause: unknown, service: string): AppError {
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return fail('UPSTREAM_TIMEOUT', { message: `The ${service} service did not answer in time`, cause })
  }
  if (wasNeverSent(cause)) {
    return fail('SERVICE_UNAVAILABLE', { message: `The ${service} service cannot be reached right now`, cause })
  }
  return fail('UPSTREAM_ERROR', { message: `The ${service} service’s answer was aborted`, cause })
}
