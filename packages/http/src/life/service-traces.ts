import type { Envelope } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import { currentTrace } from '../request/context'
import type { ServiceConfig } from '../settings/config'
import { atPlace, followTrace, idsIn, traceOf, traceOfRecord } from '../trace/followed'
import { createExporter } from '../trace/otlp'
import { handledEvent } from '../trace/spans'
import { parseTraceparent, traceparentOf } from '../trace/trace-context'
import { createTracer, noTracer, type Tracer } from '../trace/tracer'

/** The tracer of a service, by its settings. */
export function tracerOf({ name, version, environment, traces }: ServiceConfig, log: Log): Tracer {
  if (!traces) return noTracer
  const { url, headers, ratio } = traces
  const resource = {
    'service.name': name,
    'service.namespace': 'bursar',
    'service.version': version,
    'deployment.environment.name': environment,
  }
  // Callers of the gateway are not trusted.
  return createTracer(createExporter({ url, headers, resource, log }), { ratio, isTrusted: name !== 'gateway' })
}

/** The `traceparent` of an event: that of its record, else of its request, else of the running code. */
export function traceparentFor(tracer: Tracer, data: unknown, requestId: string | null): string | null {
  if (!tracer.isOn) return null
  // Events of several requests may share a commit, which runs in the trace of one.
  const trace = traceOfRecord(data) ?? traceOf(requestId) ?? currentTrace()
  return trace?.isSampled ? traceparentOf(trace) : null
}

/** Handles an event in its trace: its own, or that of its record. */
export async function handleTraced(tracer: Tracer, envelope: Envelope, handle: () => Promise<void>): Promise<void> {
  const parent = tracer.isOn ? (parseTraceparent(envelope.traceparent) ?? traceOfRecord(envelope.data)) : null
  const trace = tracer.below(parent)
  if (!trace?.isSampled) return await handle()
  for (const id of idsIn(envelope.data)) followTrace(id, trace)
  const startMs = performance.now()
  let failure: string | undefined = 'failed'
  try {
    await atPlace(trace, handle)
    failure = undefined
  } finally {
    tracer.done(trace, startMs, () => handledEvent(envelope.name, envelope.id, failure))
  }
}
