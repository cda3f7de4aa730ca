import { localServer } from '@bursar/testing'

/** A span as a collector gets it. */
export interface Span {
  service: string
  traceId: string
  spanId: string
  parentSpanId: string | null
  name: string
  kind: number
  attributes: Record<string, string | number>
  failed: boolean
}

export interface Collector {
  url: string
  spans: Span[]
  /** What was no OTLP. */
  refused: string[]
  /** The value of a header of the last request. */
  header(name: string): string | null
  stop(): Promise<void>
}

/** Takes traces by OTLP over HTTP with JSON bodies, and is strict about their form (opentelemetry-proto, trace/v1). */
export function startCollector(): Collector {
  const spans: Span[] = []
  const refused: string[] = []
  const server = localServer(async (request) => {
    try {
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/v1/traces') throw new Error('no such route')
      if (request.headers.get('content-type') !== 'application/json') throw new Error('no JSON')
      spans.push(...read(await request.json()))
      return Response.json({ partialSuccess: {} })
    } catch (error) {
      refused.push(String(error))
      return new Response('', { status: 400 })
    }
  })
  return {
    url: server.url,
    spans,
    refused,
    header: (name) => server.requests.at(-1)?.headers.get(name) ?? null,
    stop: server.stop,
  }
}

type Json = Record<string, unknown>

function read(body: unknown): Span[] {
  return list(field(body, 'resourceSpans')).flatMap((one) => {
    const service = attributesOf(field(field(one, 'resource'), 'attributes'))['service.name']
    if (typeof service !== 'string') throw new Error('a resource without service.name')
    return list(field(one, 'scopeSpans')).flatMap((scope) =>
      list(field(scope, 'spans')).map((span) => readSpan(service, span as Json)),
    )
  })
}

function readSpan(service: string, span: Json): Span {
  const { traceId, spanId, parentSpanId = null, name, kind, status = {} } = span
  const [start, end] = [nanos(span.startTimeUnixNano), nanos(span.endTimeUnixNano)]
  if (end < start) throw new Error('a span that ends before it starts')
  if (typeof name !== 'string' || name === '') throw new Error('a span without a name')
  if (![1, 2, 3, 4, 5].includes(Number(kind))) throw new Error(`kind ${kind}`)
  const { code = 0 } = status as { code?: number }
  return {
    service,
    traceId: hex(traceId, 32),
    spanId: hex(spanId, 16),
    parentSpanId: parentSpanId === null ? null : hex(parentSpanId, 16),
    name,
    kind: Number(kind),
    attributes: attributesOf(span.attributes ?? []),
    failed: code === 2,
  }
}

function attributesOf(value: unknown): Record<string, string | number> {
  return Object.fromEntries(
    list(value).map((each) => {
      const [key, held] = [field(each, 'key'), field(each, 'value') as Json]
      if (typeof key !== 'string') throw new Error('an attribute without a key')
      if (typeof held.stringValue === 'string') return [key, held.stringValue]
      // 64-bit integers are text in JSON.
      if (typeof held.intValue === 'string' && /^-?\d+$/.test(held.intValue)) return [key, Number(held.intValue)]
      throw new Error(`${key} has no value`)
    }),
  )
}

const field = (value: unknown, name: string): unknown => (value as Json)[name]

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('no list where one should be')
  return value
}

function hex(value: unknown, length: number): string {
  if (typeof value !== 'string' || !new RegExp(`^[0-9a-f]{${length}}$`).test(value) || /^0+$/.test(value))
    throw new Error(`${value} is no id`)
  return value
}

function nanos(value: unknown): bigint {
  if (typeof value !== 'string' || !/^\d{19}$/.test(value)) throw new Error(`${value} is no time`)
  return BigInt(value)
}
