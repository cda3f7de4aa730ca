import type { ServiceName } from '@bursar/contracts/services'
import { AppError, type FieldProblem } from '../errors/errors'

/** How a call to another service went wrong. */
type CallProblem = 'unreachable' | 'timeout' | 'refused' | 'broken'

/**
 * A call that failed. `refused` has the status and the answer's message; after `timeout` and `unreachable` it is
 * unknown whether it was carried out: repeat it with the same idempotency key. The message is for callers; the cause, for
 * the log, names the call and what came of it.
 */
export class CallError extends Error {
  override name = 'CallError'
  /** The fields that the answer names as refused. */
  readonly fields: readonly FieldProblem[] | undefined
  constructor(
    readonly problem: CallProblem,
    readonly service: ServiceName,
    message: string,
    /** The status of the answer; null if there was none. */
    readonly status: number | null = null,
    { fields, cause }: { fields?: readonly FieldProblem[] | undefined; cause?: Error } = {},
  ) {
    super(message, cause && { cause })
    this.fields = fields
  }
}

/** Whether what was thrown is a failed call, and not a defect of ours. */
export const isCallError = (thrown: unknown): thrown is CallError => thrown instanceof CallError

/** Whether the other service answered with one of these statuses. */
export const isRefused = (thrown: unknown, ...statuses: readonly number[]): thrown is CallError =>
  isCallError(thrown) && thrown.problem === 'refused' && statuses.includes(thrown.status ?? 0)

/** The result of a call, or its replacement if the call fails. Rejects with any other error. */
export async function ifCallFails<T, E>(call: Promise<T>, instead: (error: CallError) => E): Promise<T | E> {
  try {
    return await call
  } catch (error) {
    if (isCallError(error)) return instead(error)
    throw error
  }
}

/** Gives null for what a call did not find. */
export async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (isRefused(error, 404)) return null
    throw error
  }
}

/**
 * The error for our own caller when a call to another service fails: 503 if it is unreachable, 504 if it is late, 502
 * otherwise; its own 503 and 504 are passed on. Routes document this by `failuresOf`.
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
