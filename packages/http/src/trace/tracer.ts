import { type Attribute, type Exporter, number, type SpanRecord, text } from './otlp'
import { isTaken, newSpanId, newTraceId, parseTraceparent, type Trace } from './trace-context'

/** The work that a span describes. */
export interface Work {
  name: string
  kind: SpanRecord['kind']
  attributes?: Readonly<Record<string, string | number | null | undefined>>
  /** Why it failed; undefined when it did not. */
  failure?: string | undefined
}

/** The traces of a service. Without an exporter nothing is traced, at no cost. */
export type Tracer = ReturnType<typeof createTracer>

interface Parent {
  parentSpanId?: string
}

/** `ratio`: the share of traces that is recorded, chosen by id. The caller's own flag counts if it `isTrusted`. */
export function createTracer(exporter: Exporter | null, { ratio, isTrusted }: { ratio: number; isTrusted: boolean }) {
  const parents = new WeakMap<Trace, Parent>()

  /** Shared by all traces that begin here and are not recorded: nobody sees their ids. */
  const unrecorded: Trace = { traceId: newTraceId(), spanId: newSpanId(), isSampled: false }

  function place(traceId: string, parent: Trace | null, isSampled: boolean): Trace {
    const trace = { traceId, spanId: newSpanId(), isSampled }
    if (isSampled && parent) parents.set(trace, { parentSpanId: parent.spanId })
    return trace
  }

  return {
    isOn: exporter !== null,
    /** The context of a request, by its `traceparent`; a new trace without one. Null if nothing is traced. */
    arrive(traceparent: string | null): Trace | null {
      if (!exporter) return null
      const parent = traceparent === null ? null : parseTraceparent(traceparent)
      if (!parent) return Math.random() < ratio ? place(newTraceId(), null, true) : unrecorded
      const { traceId } = parent
      // An untrusted caller's flag could have all its requests recorded.
      return place(traceId, parent, isTrusted ? parent.isSampled : isTaken(traceId, ratio))
    },
    /** A child context; null if the parent is not traced. */
    below(parent: Trace | null | undefined): Trace | null {
      if (!exporter || !parent) return null
      return parent.isSampled ? place(parent.traceId, parent, true) : parent
    },
    /** Records the work done in a context that `arrive` or `below` gave. `startMs` is of `performance.now()`. */
    done(trace: Trace | null, startMs: number, work: () => Work) {
      if (!exporter || !trace?.isSampled) return
      const { name, kind, attributes = {}, failure } = work()
      exporter.add({
        traceId: trace.traceId,
        spanId: trace.spanId,
        ...parents.get(trace),
        name,
        kind,
        startTimeUnixNano: nanos(startMs),
        endTimeUnixNano: nanos(performance.now()),
        attributes: Object.entries(attributes).flatMap(attributeOf),
        status: failure === undefined ? {} : { code: 2, message: failure },
      })
    },
    async stop() {
      await exporter?.stop()
    },
  }
}

/** Nothing is traced. */
export const noTracer: Tracer = createTracer(null, { ratio: 0, isTrusted: false })

/** Nanoseconds since 1970, to the microsecond. */
const nanos = (ms: number): string => `${Math.round((performance.timeOrigin + ms) * 1000)}000`

const attributeOf = ([key, value]: [string, string | number | null | undefined]): Attribute[] => {
  if (value === null || value === undefined) return []
  return [typeof value === 'number' ? number(key, value) : text(key, value)]
}

/** Monitors and services poll these all the time. */
export const beginsTrace = (path: string): boolean => !/^\/(?:v1\/)?(?:health|metrics|internal)(?:\/|$)/.test(path)
