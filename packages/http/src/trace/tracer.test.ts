import { describe, expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { createExporter, type SpanRecord } from './otlp'
import { parseTraceparent, type Trace } from './trace-context'
import { createTracer, noTracer, type Work } from './tracer'

const header = (flags: string) => `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`
const work: Work = { name: 'GET /x', kind: 2, attributes: { one: 'text', two: 2, none: null, missing: undefined } }

function recording(options: { ratio: number; isTrusted: boolean }) {
  const spans: SpanRecord[] = []
  const exporter = { add: (span: SpanRecord) => void spans.push(span), flush: async () => {}, stop: async () => {} }
  return { spans, tracer: createTracer(exporter, options) }
}

describe('a tracer', () => {
  test('records what was done, below what asked for it', () => {
    const { spans, tracer } = recording({ ratio: 1, isTrusted: false })
    const served = tracer.arrive(header('00'))
    const asked = tracer.below(served)
    tracer.done(asked, performance.now(), () => ({ ...work, kind: 3, failure: 'no answer' }))
    tracer.done(served, performance.now(), () => work)
    const [call, request] = spans
    expect(request).toMatchObject({ name: 'GET /x', kind: 2, parentSpanId: 'b7ad6b7169203331', status: {} })
    expect(request?.attributes).toEqual([
      { key: 'one', value: { stringValue: 'text' } },
      { key: 'two', value: { intValue: '2' } },
    ])
    expect(call).toMatchObject({ parentSpanId: request?.spanId, status: { code: 2, message: 'no answer' } })
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(['0af7651916cd43dd8448eb211c80319c']))
  })

  test('decides itself about a stranger’s trace, and takes over what another service has decided', () => {
    const isSampled = (ratio: number, isTrusted: boolean, flags: string) =>
      recording({ ratio, isTrusted }).tracer.arrive(header(flags))?.isSampled
    expect([isSampled(0, false, '01'), isSampled(1, false, '00')]).toEqual([false, true])
    expect([isSampled(0, true, '01'), isSampled(1, true, '00')]).toEqual([true, false])
  })

  test('does no work for a trace that is not recorded, and passes it on', () => {
    const { spans, tracer } = recording({ ratio: 0, isTrusted: false })
    const served = tracer.arrive(null) as Trace
    expect(parseTraceparent(`00-${served.traceId}-${served.spanId}-00`)).toEqual(served)
    expect(tracer.below(served)).toBe(served)
    tracer.done(served, 0, () => {
      throw new Error('asked for')
    })
    expect(spans).toEqual([])
  })

  test('that is off knows of nothing', () => {
    expect([noTracer.isOn, noTracer.arrive(header('01')), noTracer.below(null)]).toEqual([false, null, null])
  })
})

describe('an exporter', () => {
  const span = (name: string) => ({ ...work, name, traceId: '1', spanId: '2', attributes: [], status: {} }) as never

  test('sends what it has together, and all of it when it stops', async () => {
    const bodies: { resourceSpans: { scopeSpans: { spans: SpanRecord[] }[] }[] }[] = []
    const fetch = async (_: unknown, init: RequestInit) => {
      bodies.push(JSON.parse(String(init.body)))
      return new Response('')
    }
    const options = { url: 'http://c/v1/traces', headers: {}, resource: { 'service.name': 'x' }, log: silentLog }
    const exporter = createExporter({ ...options, fetch: fetch as typeof globalThis.fetch })
    for (let i = 0; i < 600; i++) exporter.add(span(String(i)))
    await exporter.stop()
    const sent = bodies.map(({ resourceSpans: [one] }) => one?.scopeSpans[0]?.spans ?? [])
    expect(sent.flat().map(({ name }) => name)).toEqual(Array.from({ length: 600 }, (_, i) => String(i)))
    expect(Math.max(...sent.map(({ length }) => length))).toBeLessThanOrEqual(512)
  })

  test('loses spans that the collector refuses, says so once, and goes on', async () => {
    const told: unknown[] = []
    let calls = 0
    const log = { ...silentLog, warn: (fields: unknown) => void told.push(fields) }
    const fetch = async () => {
      calls += 1
      if (calls === 1) throw new Error('refused')
      return new Response('', { status: calls === 2 ? 503 : 200 })
    }
    const options = { url: 'http://c/v1/traces', headers: {}, resource: {}, log }
    const exporter = createExporter({ ...options, fetch: fetch as unknown as typeof globalThis.fetch })
    for (const name of ['a', 'b', 'c']) {
      exporter.add(span(name))
      await exporter.flush()
    }
    await exporter.stop()
    expect(calls).toBe(3)
    expect(told).toEqual([{ lost: 1, reason: 'refused' }])
  })

  test('a stop waits for one refusal, however much is left', async () => {
    const stopping = Promise.withResolvers<void>()
    let calls = 0
    const fetch = async () => {
      calls += 1
      await stopping.promise
      throw new Error('it took too long')
    }
    const options = { url: 'http://c/v1/traces', headers: {}, resource: {}, log: silentLog }
    const exporter = createExporter({ ...options, fetch: fetch as unknown as typeof globalThis.fetch })
    for (let i = 0; i < 5000; i++) exporter.add(span(String(i)))
    const stopped = exporter.stop()
    stopping.resolve()
    await stopped
    expect(calls).toBe(1)
  })

  test('keeps a bounded number while nothing takes them', async () => {
    const gate = Promise.withResolvers<Response>()
    let sent = 0
    const fetch = async (_: unknown, init: RequestInit) => {
      sent += (JSON.parse(String(init.body)) as never as { resourceSpans: [{ scopeSpans: [{ spans: [] }] }] })
        .resourceSpans[0].scopeSpans[0].spans.length
      return await gate.promise.then(() => new Response(''))
    }
    const options = { url: 'http://c/v1/traces', headers: {}, resource: {}, log: silentLog }
    const exporter = createExporter({ ...options, fetch: fetch as typeof globalThis.fetch })
    for (let i = 0; i < 20_000; i++) exporter.add(span(String(i)))
    gate.resolve(new Response(''))
    await exporter.stop()
    expect(sent).toBe(512 + 8192)
  })
})
