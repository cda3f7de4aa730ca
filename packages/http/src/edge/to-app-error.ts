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
  if (thrown instanceof CommitFailedError || thrown instanceof StoreClosedError) return notWritten(thrown)
  if (thrown instanceof UnknownOutcomeError) return perhapsWritten(thrown)
  if (thrown instanceof DatabaseLostError) return notRead(thrown)
  if (thrown instanceof ParseError) {
    return thrown.cause instanceof AppError ? thrown.cause : notJson(thrown.cause)
  }
  // An answer that violates its own schema is our fault, not the caller's.
  if (thrown instanceof ValidationError && thrown.type !== 'response') {
    return validationError(problemsIn(thrown), thrown.type)
  }
  return failCommon('INTERNAL_ERROR', { cause: thrown })
}

/** A full disk, or a stopping service. The commit wrote nothing, but earlier steps may have had effects elsewhere. */
const notWritten = (cause: CommitFailedError | StoreClosedError): AppError =>
  failCommon('SERVICE_UNAVAILABLE', {
    message: 'The service cannot write right now; repeat the request in a moment, with the same Idempotency-Key',
    headers: { 'retry-after': '1' },
    cause,
  })

/** The database restarts, or another server takes its place. */
const notRead = (cause: DatabaseLostError): AppError =>
  failCommon('SERVICE_UNAVAILABLE', {
    message: 'The service cannot read right now; repeat the request in a moment',
    headers: { 'retry-after': '1' },
    cause,
  })

/** The connection to the database was lost in the middle of a commit: a repeat with the same key tells, and acts once. */
const perhapsWritten = (cause: UnknownOutcomeError): AppError =>
  failCommon('SERVICE_UNAVAILABLE', {
    message: 'It is not known whether this was written; repeat the request in a moment, with the same Idempotency-Key',
    headers: { 'retry-after': '1' },
    cause,
  })

/** In the order of the schema; TypeBox finds missing fields first. */
function problemsIn(error: ValidationError): ValueError[] {
  const validator = error.validator as { Errors(value: unknown): Iterable<ValueError>; schema?: TSchema }
  const order = Object.keys(validator.schema?.properties ?? {})
  const place = ({ path }: ValueError) => order.indexOf(path.split('/')[1] ?? '')
  return firstProblems(validator.Errors(error.value)).sort((a, b) => place(a) - place(b))
}
