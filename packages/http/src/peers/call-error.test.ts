import { expect, test } from 'bun:test'
import { AppError } from '../errors/errors'
import { CallError, failedCall, ifCallFails, isRefused, orNull } from './call-error'

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

const refused = new CallError('refused', 'wallet', 'said no', 404)
const broken = new CallError('broken', 'wallet', 'too long', 404)
const defect = new TypeError('a defect')

test('a call is refused with the statuses that are named, and only by an answer', () => {
  expect(isRefused(refused, 400, 404)).toBe(true)
  expect(isRefused(refused, 400)).toBe(false)
  expect(isRefused(refused)).toBe(false)
  expect(isRefused(broken, 404)).toBe(false)
  expect(isRefused(new CallError('timeout', 'wallet', 'late'), 404)).toBe(false)
  expect(isRefused(Object.assign(new Error(), { problem: 'refused', status: 404 }), 404)).toBe(false)
})

test('what stands in for a failed call stands in for nothing else', async () => {
  const words = ({ message }: CallError) => message
  expect(await ifCallFails(Promise.resolve(1), words)).toBe(1)
  expect(await ifCallFails(Promise.reject(broken), words)).toBe('too long')
  expect(ifCallFails(Promise.reject(defect), words)).rejects.toBe(defect)
})

test('what a call did not find is null; any other failure stays one', async () => {
  expect(await orNull(Promise.reject(refused))).toBeNull()
  expect(orNull(Promise.reject(new CallError('refused', 'wallet', 'no', 403)))).rejects.toMatchObject({ status: 403 })
  expect(orNull(Promise.reject(defect))).rejects.toBe(defect)
})
