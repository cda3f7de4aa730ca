import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runRaw } from '@bursar/testing/service'
import { type TestTracker, testTracker } from './harness'

let tracker: TestTracker
beforeAll(async () => {
  tracker = await testTracker()
})
afterAll(() => tracker.close())

const checks = (failing: object = {}) => ({ database: true, messageQueue: true, websocket: true, ...failing })

describe('GET /health', () => {
  test.each(['/tracker/v1', '/v1/tracker', '/tracker', '/v1', ''])('200 under "%s"', async (prefix) => {
    const { status, body } = await tracker.get(`${prefix}/health`)
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'ok', checks: checks(), timestamp: expect.stringMatching(/^\d{4}-.*T.*\.\d{3}Z$/) })
  })

  test.each(['database', 'messageQueue'] as const)('503 when the %s is not usable', async (name) => {
    tracker.fail(name, 'broken')
    const { status, body } = await tracker.get('/tracker/v1/health')
    tracker.fail(name, null)
    expect(status).toBe(503)
    expect(body).toEqual({ status: 'error', checks: checks({ [name]: false }), timestamp: expect.any(String) })
    expect((await tracker.get('/tracker/v1/health')).status).toBe(200)
  })

  test('503 when the stream has ended', async () => {
    const ending = await testTracker()
    ending.stream.end()
    const { status, body } = await ending.get('/health')
    expect(status).toBe(503)
    expect(body.checks).toEqual(checks({ websocket: false }))
    await ending.close()
  })
})

test('500 when the database cannot be read, without the cause', async () => {
  const broken = await testTracker()
  await broken.store.commit((tx) => runRaw(tx, 'ALTER TABLE log_series RENAME TO mislaid'))
  const answer = await broken.get('/tracker/v1/log-messages', { 'x-request-id': 'req-500' })
  expect(answer.status).toBe(500)
  expect(answer.body).toEqual({
    error: {
      code: 'INTERNAL_ERROR',
      message: 'Internal server error',
      requestId: 'req-500',
      timestamp: expect.any(String),
    },
  })
  await broken.close()
})

describe('paths and methods that are not served', () => {
  test('an unknown path: 404', async () => {
    const { status, body } = await tracker.get('/tracker/v1/log-messages/some-id')
    expect(status).toBe(404)
    expect(body.error).toMatchObject({ code: 'NOT_FOUND', message: 'Cannot GET /log-messages/some-id' })
  })

  test.each([
    ['POST', '/log-messages', 'GET, HEAD'],
    ['DELETE', '/log-messages/stream', 'GET, HEAD'],
    ['GET', '/log-messages/test-add-log-message', 'POST'],
  ])('%s %s: 405 with the allowed methods', async (method, path, allowed) => {
    const { status, headers, body } = await tracker.ask(method, `/tracker/v1${path}`)
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(allowed)
    expect(body.error.code).toBe('METHOD_NOT_ALLOWED')
  })

  test('a body that is not JSON: 400', async () => {
    const { status, body } = await tracker.post('/log-messages/test-add-log-message', '{')
    expect(status).toBe(400)
    expect(body.error.code).toBe('INVALID_REQUEST')
  })
})

test('the document contains every public route', async () => {
  const { body } = await tracker.get('/swagger/json')
  expect(Object.keys(body.paths).sort()).toEqual([
    '/health',
    '/log-messages',
    '/log-messages/export',
    '/log-messages/stream',
    '/log-messages/test-add-log-message',
  ])
})
