import { expect, test } from 'bun:test'
import type { LocalServer } from '@bursar/testing'
import { BursarError, failureOf } from '../src/errors'
import { answer, clientOf, gateway, refusal } from './gateway'

const read = (status: number, body: unknown) => failureOf(new Response(null, { status }), body)

test('the first form, with its code and the refused fields', () => {
  const details = [
    { field: 'amount', message: 'amount must be a string' },
    { field: 'network', message: 'network is required' },
  ]
  expect(read(400, { error: { code: 'INVALID_REQUEST', message: 'The request is not valid', details } })).toMatchObject(
    {
      status: 400,
      code: 'INVALID_REQUEST',
      message: 'The request is not valid',
      fields: details,
    },
  )
})

test('the second form has the code of its status, and each sentence', () => {
  const body = { statusCode: '400', error: ['a is wrong', 'b is wrong'], requestId: 'r-2', path: '/x' }
  expect(read(400, body)).toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'a is wrong; b is wrong',
    fields: [
      { field: '', message: 'a is wrong' },
      { field: '', message: 'b is wrong' },
    ],
  })
})

test('the third form has its message, without the name of the status', () => {
  const body = { statusCode: 404, message: 'Transaction not found', error: 'Not Found', path: '/x' }
  expect(read(404, body)).toMatchObject({ code: 'NOT_FOUND', message: 'Transaction not found', fields: [] })
  const several = { statusCode: 422, message: ['a', 'b'], error: 'Unprocessable Entity', details: { most: 3 } }
  expect(read(422, several)).toMatchObject({ code: 'UNPROCESSABLE', message: 'a; b', details: { most: 3 } })
})

test.each([
  [null],
  ['<html>'],
  [[]],
  [5],
  [{ error: {} }],
  [{ error: null, message: 7 }],
  [{ error: { code: 7, message: [] } }],
])('what says nothing gets a sentence: %j', (body) => {
  expect(read(502, body)).toMatchObject({
    status: 502,
    code: 'UPSTREAM_ERROR',
    message: 'it was answered with status 502',
    fields: [],
  })
})

test('a status that no service answers keeps its number', () => {
  expect(read(418, null).code).toBe('HTTP_418')
})

let server: LocalServer

test('an error names the route and the request, and neither ids nor credentials', async () => {
  server = gateway(answer(404, refusal('NOT_FOUND', 'Account not found')))
  const bursar = clientOf(server.url, { apiKey: 'sk_test_secret' })
  const call = bursar.get('/account/v1/accounts/{id}', { params: { path: { id: 'acc-17' } } })
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown as BursarError,
  )
  await server.stop()
  expect(error).toBeInstanceOf(BursarError)
  expect(error).toMatchObject({
    message: 'GET /account/v1/accounts/{id}: Account not found',
    code: 'NOT_FOUND',
    isUncertain: false,
  })
  expect(server.requests[0]?.headers.get('x-request-id')).toBe(error?.requestId ?? 'none')
  expect(server.requests[0]?.headers.get('x-api-key')).toBe('sk_test_secret')
  expect(Bun.inspect(error)).not.toContain('sk_test_secret')
})

test('a redirect is an error: credentials go to no other place', async () => {
  const thief = gateway(answer(200, []))
  server = gateway(() => new Response(null, { status: 307, headers: { location: `${thief.url}/core/v1/assets` } }))
  const bursar = clientOf(server.url, { apiKey: 'sk_test_secret' })
  await expect(bursar.get('/core/v1/assets')).rejects.toMatchObject({ status: 307, code: 'HTTP_307' })
  expect(thief.requests).toHaveLength(0)
  await Promise.all([server.stop(), thief.stop()])
})

test.each(['', '.', '..'])('an id %j, which would lead to another route, is not sent', async (id) => {
  server = gateway(answer(200, {}))
  await expect(clientOf(server.url).get('/account/v1/accounts/{id}', { params: { path: { id } } })).rejects.toThrow(
    `id must not be ${JSON.stringify(id)}`,
  )
  expect(server.requests).toHaveLength(0)
  await server.stop()
})

test('an id with other characters stays one part of the path', async () => {
  server = gateway(answer(200, {}))
  await clientOf(server.url).get('/account/v1/accounts/{id}', { params: { path: { id: '../x?y=1#z/%2e' } } })
  expect(server.requests[0]?.path).toBe('/account/v1/accounts/..%2Fx%3Fy%3D1%23z%2F%252e')
  await server.stop()
})
