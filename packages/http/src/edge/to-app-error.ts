import { CommitFailedError, DatabaseLostError, StoreClosedError, UnknownOutcomeError } from '@bursar/store'
import type { TSchema } from '@sinclair/typebox'
import type { ValueError } from '@sinclair/typebox/errors'
import { ParseError, ValidationError } from 'elysia'
import { AppError, failCommon } from '../errors/errors'
import { firstProblems, validationError } from '../errors/validation'
import { failedCall, isCallError } from '../peers/call-error'
import { notJson } from './body'

/**
 * Converts anything thrown while handling a request into our error. Decided by class, never by `code`: a database
 * error has one too. Errors not meant for the caller become a plain 500, with the cause for the log.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  if (isCallError(thrown)) return failedCall(thrown)
  if (thrown instanceof CommitFailedError || thrown instanceof StoreClosedError) return unavailable(thrown, notWritten)
  if (thrown instanceof UnknownOutcomeError) return unavailable(thrown, perhapsWritten)
  if (thrown instanceof DatabaseLostError) return unavailable(thrown, notRead)
  if (thrown instanceof ParseError) {
    return thrown.cause instanceof AppError ? thrown.cause : notJson(thrown.cause)
  }
  // An answer that violates its own schema is our fault, not the caller's.
  if (thrown instanceof ValidationError && thrown.type !== 'response') {
    return validationError(problemsIn(thrown), thrown.type)
  }
  return failCommon('INTERNAL_ERROR', { cause: thrown })
}

/** The database cannot be used for a moment: a full disk, a restart, a stopping service. */
const unavailable = (cause: Error, message: string): AppError =>
  failCommon('SERVICE_UNAVAILABLE', { message, headers: { 'retry-after': '1' }, cause })

/** The commit wrote nothing, but earlier steps may have had effects elsewhere. */
const notWritten = 'The service cannot write right now; repeat the request in a moment, with the same Idempotency-Key'
const notRead = 'The service cannot read right now; repeat the request in a moment'
/** The connection was lost in the middle of a commit: a repeat with the same key tells, and acts once. */
const perhapsWritten =
  'It is not known whether this was written; repeat the request in a moment, with the same Idempotency-Key'

/** In the order of the schema; TypeBox finds missing fields first. */
function problemsIn(error: ValidationError): ValueError[] {
  const validator = error.validator as { Errors(value: unknown): Iterable<ValueError>; schema?: TSchema }
  const order = Object.keys(validator.schema?.properties ?? {})
  const place = ({ path }: ValueError) => order.indexOf(path.split('/')[1] ?? '')
  return firstProblems(validator.Errors(error.value)).sort((a, b) => place(a) - place(b))
}
