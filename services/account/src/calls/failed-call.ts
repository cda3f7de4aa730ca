import { CallError } from '@bursar/http'
import { fail } from '../errors'

/**
 * What a failed call to another service is to our own caller: 503 when it cannot be reached, 504 when it is late, 502
 * otherwise; its own 503 and 504 are passed on. Anything but a failed call comes back as it is.
 */
export function failedCall(error: unknown): unknown {
  if (!(error instanceof CallError)) return error
  return fail(codeOf(error), { message: messageOf(error), cause: error })
}

function codeOf({ problem, status }: CallError) {
  if (problem === 'unreachable' || status === 503) return 'SERVICE_UNAVAILABLE'
  return problem === 'timeout' || status === 504 ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_ERROR'
}

const messageOf = ({ problem, service, message }: CallError): string =>
  problem === 'refused' ? `The ${service} service refused: ${message}` : message
