import { expect, test } from 'bun:test'
import { AppError } from '../errors/errors'
import { CallError } from '../peers/client'
import { failedCall } from './failed-call'

test.each([
  ['unreachable', null, 'SERVICE_UNAVAILABLE', 503],
  ['timeout', null, 'UPSTREAM_TIMEOUT', 504],
  ['broken', 200, 'UPSTREAM_ERROR', 502],
] as const)('a call that is %s', (problem, status, code, told) => {
  const cause = new CallError(problem, 'wallet', 'So it was', status)
  const error = failedCall(cause)
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code, status: told, message: 'So it was', cause })
})

test.each([
  [404, 'UPSTREAM_ERROR', 502],
  [500, 'UPSTREAM_ERROR', 502],
  [503, 'SERVICE_UNAVAILABLE', 503],
  [504, 'UPSTREAM_TIMEOUT', 504],
])('a call that was refused with %d', (status, code, told) => {
  const error = failedCall(new CallError('refused', 'wallet', 'said no', status))
  expect(error).toMatchObject({ code, status: told, message: 'The wallet service refused: said no' })
})
