import { expect, test } from 'bun:test'
import { traceSettings } from './traces'

const endpoint = 'https://collector.example:4318'

test('without an endpoint nothing is traced', () => {
  expect(traceSettings({ OTEL_TRACES_SAMPLER_ARG: '1' })).toBeNull()
})

test('the names are those of OpenTelemetry', () => {
  expect(traceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` })).toEqual({
    url: `${endpoint}/v1/traces`,
    headers: {},
    ratio: 0.05,
  })
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: '.5' }
  expect(traceSettings({ ...env, OTEL_EXPORTER_OTLP_HEADERS: 'Api-Key=a%2Cb=, x = y ' })).toMatchObject({
    headers: { 'api-key': 'a,b=', x: 'y' },
    ratio: 0.5,
  })
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be'],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "1.5"'],
  [{ OTEL_TRACES_SAMPLER_ARG: '-1' }, 'OTEL_TRACES_SAMPLER_ARG must be'],
  [{ OTEL_TRACES_SAMPLER_ARG: 'all' }, 'OTEL_TRACES_SAMPLER_ARG must be'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, 'OTEL_EXPORTER_OTLP_HEADERS must be name=value'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, 'OTEL_EXPORTER_OTLP_HEADERS has a broken % escape'],
])('%j is refused, without its secrets', (env, message) => {
  const read = () => traceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env })
  expect(read).toThrow(message)
  expect(read).not.toThrow('secret')
})
