import { describe, expect, test } from 'bun:test'
import { asApiError, noAnswer, toApiError } from './api-error'

describe('errors of the three shapes', () => {
  test('an object', () => {
    const body = { error: { code: 'NOT_FROZEN', message: 'It is REJECTED', requestId: 'r-1', timestamp: 'now' } }
    expect(toApiError(409, body, new Headers({ 'x-request-id': 'r-0' }))).toMatchObject({
      status: 409,
      message: 'It is REJECTED',
      code: 'NOT_FROZEN',
      requestId: 'r-1',
      problems: [],
    })
  })

  test('an object with refused fields', () => {
    const details = [
      { field: 'amount', message: 'amount must be a string' },
      { field: 'network', message: 'network is required' },
    ]
    const body = { error: { code: 'INVALID_REQUEST', message: 'The request is not valid', details, requestId: 'r-1' } }
    expect(toApiError(400, body).problems).toEqual(['amount must be a string', 'network is required'])
  })

  test('a list', () => {
    const body = { statusCode: '400', error: ['a is wrong', 'b is wrong'], requestId: 'r-2', path: '/x' }
    const error = toApiError(400, body)
    expect(error).toMatchObject({ message: 'a is wrong', requestId: 'r-2', problems: ['a is wrong', 'b is wrong'] })
  })

  test('a message, with the request id of the header', () => {
    const body = { statusCode: 404, message: 'Transaction not found', error: 'Not Found', path: '/x' }
    expect(toApiError(404, body, new Headers({ 'x-request-id': 'r-3' }))).toMatchObject({
      message: 'Transaction not found',
      requestId: 'r-3',
      problems: [],
    })
  })

  test('several messages', () => {
    const body = { statusCode: 400, message: ['a is wrong', 'b is wrong'], error: 'Bad Request' }
    expect(toApiError(400, body).problems).toEqual(['a is wrong', 'b is wrong'])
  })

  test.each([
    [null, 502, 'The service answered with status 502'],
    ['<html>', 403, 'Your role does not allow this'],
    [{ error: {} }, 401, 'The session has ended'],
    [[], 404, 'This does not exist'],
  ])('what has no sentence gets one: %p', (body, status, message) => {
    expect(toApiError(status, body)).toMatchObject({ status, message, requestId: null })
  })
})

test('no answer, a failing service, and a copy that is still under way leave open whether the act was carried out', () => {
  const running = toApiError(409, null, new Headers({ 'retry-after': '1' }))
  const all = [noAnswer(), toApiError(503, null), running, toApiError(409, null)]
  expect(all.map(({ isUncertain }) => isUncertain)).toEqual([true, true, true, false])
  expect(asApiError(new TypeError('x is undefined'))).toMatchObject({ status: 0, message: 'x is undefined' })
})
