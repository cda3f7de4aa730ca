import { describe, expect, test } from 'bun:test'
import { sampleApp, send } from './sample-app'

const { app, failures } = sampleApp('message')
const id = '018f2f3e-0000-7000-8000-000000000000'

describe('errors', () => {
  test('what the domain throws', async () => {
    const answer = await send(app, 'DELETE', `/v1/things/${id}`)
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ statusCode: 409, message: 'There are none left', error: 'Conflict' })
  })

  test('details go to the caller', async () => {
    expect((await send(app, 'PATCH', `/v1/things/${id}`)).body).toMatchObject({
      statusCode: 503,
      details: { kraken: 'timed out' },
    })
  })

  test('the unexpected is a plain 500 that leaks nothing, and is told once', async () => {
    failures.length = 0
    const answer = await send(app, 'POST', `/v1/things/${id}/break`)
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('hunter2')
    expect(answer.body.message).toBe('Internal server error')
    expect(failures).toEqual(['Internal server error'])
  })

  test('an answer that breaks its own schema is a 500', async () => {
    expect((await send(app, 'PUT', `/v1/things/${id}`)).status).toBe(500)
  })

  test('the envelope shape', async () => {
    const { app } = sampleApp('object')
    const headers = { 'x-request-id': 'abc' }
    const answer = await send(app, 'GET', '/v1/things?limit=x', { headers })
    expect(answer.body.error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'limit must be an integer',
      details: [{ field: 'limit', message: 'limit must be an integer' }],
      requestId: 'abc',
    })
    expect((await send(app, 'GET', '/v1/things?since=x')).body.error.code).toBe('INVALID_DATE_FORMAT')
    expect((await send(app, 'GET', '/v1/none')).body.error.code).toBe('NOT_FOUND')
    expect((await send(app, 'PUT', '/v1/things')).body.error.code).toBe('METHOD_NOT_ALLOWED')
    expect((await send(app, 'POST', `/v1/things/${id}/break`)).body.error).toMatchObject({ code: 'INTERNAL_ERROR' })
  })

  test('the strings shape', async () => {
    const { app } = sampleApp('list')
    const answer = await send(app, 'GET', '/v1/things?limit=x&offset=y', { headers: { 'x-request-id': 'abc' } })
    expect(answer.body).toMatchObject({
      statusCode: '400',
      error: ['limit must be an integer', 'offset must be an integer'],
      requestId: 'abc',
      path: '/v1/things',
    })
    expect(answer.body.timestamp).toMatch(/^\d{4}-.*Z$/)
  })
})
