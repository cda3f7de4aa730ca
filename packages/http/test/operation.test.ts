import { describe, expect, spyOn, test } from 'bun:test'
import { sampleApp, send } from './sample-app'

const { app } = sampleApp('message')
const id = '018f2f3e-0000-7000-8000-000000000000'

describe('every answer', () => {
  test('carries the caller’s request id', async () => {
    for (const path of ['/v1/things', '/v1/none', '/v1/things/1', '/v1/health']) {
      const answer = await send(app, 'GET', path, { headers: { 'x-request-id': 'caller-1' } })
      expect(answer.headers.get('x-request-id')).toBe('caller-1')
    }
  })

  test.each([undefined, 'a b', 'x'.repeat(129), 'é'])('or a new one in place of %p', async (given) => {
    const answer = await send(app, 'GET', '/v1/things', {
      headers: given === undefined ? {} : { 'x-request-id': given },
    })
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('carries the security headers', async () => {
    for (const path of ['/v1/things', '/v1/none']) {
      const { headers } = await send(app, 'GET', path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })
})

describe('GET /health', () => {
  test('200 with name and version', async () => {
    const answer = await send(app, 'GET', '/health')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'ok', service: 'sample', version: '1.2.3' })
  })

  test('503 names what is not usable', async () => {
    const broken = sampleApp('message', { database: () => Promise.reject(new Error('disk full')) }).app
    const answer = await send(broken, 'GET', '/v1/health')
    expect(answer.status).toBe(503)
    expect(answer.body).toMatchObject({ status: 'error', error: 'database: disk full' })
  })
})

test('GET /metrics counts requests by route, not by path', async () => {
  const { app } = sampleApp('message')
  // However long a busy machine takes.
  const clock = spyOn(performance, 'now').mockReturnValue(0)
  await send(app, 'GET', `/v1/things/${id}`)
  await send(app, 'GET', '/v1/whatever')
  clock.mockRestore()
  const { text } = await send(app, 'GET', '/metrics')
  expect(text).toContain('http_requests_total{method="GET",route="/things/:id",status="200",service="sample"} 1')
  expect(text).toContain('http_requests_total{method="GET",route="(none)",status="404",service="sample"} 1')
  expect(text).toMatch(/http_request_duration_seconds_bucket\{le="5",method="GET",route="\/things\/:id",[^}]*\} 1/)
  expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/things\/:id",[^}]*\} 1/)
  await app.handle(new Request('http://localhost/v1/things', { method: 'PROPFIND' }))
  expect((await send(app, 'GET', '/metrics')).text).toContain('http_requests_total{method="OTHER"')
  expect(text).toContain('# TYPE http_request_duration_seconds histogram')
})
