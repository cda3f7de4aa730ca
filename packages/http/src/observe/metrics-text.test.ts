import { expect, test } from 'bun:test'
import { createMetrics } from './metrics'
import { metricsFor } from './metrics-text'

const accept = 'application/openmetrics-text;version=1.0.0;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'
const [first, second] = ['0af7651916cd43dd8448eb211c80319c', 'a3ce929d0e0e47364bf92f3577b34da6']

async function figures() {
  const metrics = createMetrics('customer', '1.0.0')
  metrics.add({ name: 'bursar_queue_depth', help: 'Events # waiting', read: () => 3 })
  const observe = (seconds: number, traceId: string | null) =>
    metrics.observe('GET', '/a "quoted" # route', 200, seconds, traceId)
  observe(0.2, second)
  observe(0.21, first)
  observe(0.2, null)
  observe(7, second)
  return await metrics.text()
}

test('whoever takes OpenMetrics gets the newest recorded trace of each bucket', async () => {
  const { body, contentType } = metricsFor(await figures(), accept)
  expect(contentType).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  const labels = 'method="GET",route="/a \\"quoted\\" # route",status="200",service="customer"'
  const lines = body.split('\n')
  const ofBucket = (bound: string) => lines.find((line) => line.includes(`_bucket{le="${bound}",`))
  const name = 'http_request_duration_seconds_bucket'
  expect(ofBucket('0.1')).toBe(`${name}{le="0.1",${labels}} 0`)
  expect(ofBucket('0.25')).toBe(`${name}{le="0.25",${labels}} 3 # {trace_id="${first}"} 0.21`)
  expect(ofBucket('5')).toBe(`${name}{le="5",${labels}} 3`)
  expect(ofBucket('+Inf')).toBe(`${name}{le="+Inf",${labels}} 4 # {trace_id="${second}"} 7`)
})

test('OpenMetrics has its own form: no empty line, a family for each counter, and an end', async () => {
  const { body } = metricsFor(await figures(), accept)
  expect(body).toEndWith('\n# EOF\n')
  expect(body).not.toContain('\n\n')
  expect(body).toContain('# HELP http_requests Requests answered\n# TYPE http_requests counter\nhttp_requests_total{')
  expect(body).toContain('# HELP bursar_queue_depth Events # waiting\n# TYPE bursar_queue_depth gauge\n')
})

test('others get Prometheus’ own text, without exemplars', async () => {
  // Of one scrape: resident memory is among the figures.
  const text = await figures()
  const { body, contentType } = metricsFor(text, 'text/plain, */*')
  expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(body).not.toContain('trace_id')
  expect(body).not.toContain('EOF')
  expect(body).toContain('# TYPE http_requests_total counter\n')
  expect(body).toMatch(
    /_bucket\{le="0\.25",method="GET",route="\/a \\"quoted\\" # route",status="200",service="customer"\} 3\n/,
  )
  expect(metricsFor(text, null).body).toBe(body)
})
