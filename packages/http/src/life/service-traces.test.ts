import { expect, test } from 'bun:test'
import { inRequest } from '../request/context'
import { followTrace } from '../trace/followed'
import { traceparentOf } from '../trace/trace-context'
import { createTracer, noTracer } from '../trace/tracer'
import { traceparentFor } from './service-traces'

const tracer = createTracer(
  { add: () => {}, flush: async () => {}, stop: async () => {} },
  { ratio: 1, isTrusted: false },
)
const traceOfNew = (id: string) => {
  const trace = tracer.arrive(null)
  followTrace(id, trace)
  return trace as NonNullable<typeof trace>
}

test('an event belongs to the trace of its record, else of the request that it names, else of what runs', () => {
  const record = Bun.randomUUIDv7()
  const [ofRecord, ofRequest, running] = [traceOfNew(record), traceOfNew('request-1'), traceOfNew('request-2')]
  // Events of several requests share a commit, which runs as the first of them.
  const belongsTo = (data: object, requestId: string | null) =>
    inRequest({ id: 'request-2', path: '', route: null, body: '', trace: running }, () =>
      traceparentFor(tracer, data, requestId),
    )
  expect(belongsTo({ id: record }, 'request-1')).toBe(traceparentOf(ofRecord))
  expect(belongsTo({ id: Bun.randomUUIDv7() }, 'request-1')).toBe(traceparentOf(ofRequest))
  expect(belongsTo({}, 'request-2')).toBe(traceparentOf(running))
  expect(belongsTo({}, 'an unknown one')).toBe(traceparentOf(running))
  expect(belongsTo({}, null)).toBe(traceparentOf(running))
  expect(traceparentFor(noTracer, { id: record }, 'request-1')).toBeNull()
})
