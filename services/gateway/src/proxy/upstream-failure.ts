import { type AppError, wasNeverSent } from '@bursar/http'
import { fail } from '../errors'

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
