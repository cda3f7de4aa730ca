import { type Log, messageOf } from '@bursar/contracts/log'

/** A finished piece of work, in the form of OTLP/JSON. */
export interface SpanRecord {
  traceId: string
  spanId: string
  parentSpanId?: string | undefined
  name: string
  /** The OTLP span kind: 2 server, 3 client, 5 consumer. */
  kind: 2 | 3 | 5
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status: { code?: 2; message?: string }
}

export interface Attribute {
  key: string
  value: { stringValue: string } | { intValue: string }
}

interface ExporterOptions {
  /** Where traces are posted: `http://collector:4318/v1/traces`. */
  url: string
  /** Headers of each request, such as a key of the collector's. */
  headers: Readonly<Record<string, string>>
  resource: Readonly<Record<string, string>>
  log: Log
  fetch?: typeof globalThis.fetch
}

/** Sends spans to a collector in batches. */
export type Exporter = ReturnType<typeof createExporter>

const mostInRequest = 512
/** While the collector is away, spans are dropped: they must not fill the memory. */
const mostWaiting = 8192
const pauseMs = 2000
const timeoutMs = 5000
const quietMs = 60_000

/** An exporter of traces by OTLP over HTTP, with JSON bodies (opentelemetry.io/docs/specs/otlp). */
export function createExporter({ url, headers, resource, log, fetch = globalThis.fetch }: ExporterOptions) {
  const attributes = Object.entries(resource).map(([key, value]) => text(key, value))
  let waiting: SpanRecord[] = []
  let lost = 0
  let toldMs = Number.NEGATIVE_INFINITY
  let sending: Promise<void> | null = null
  let isStopping = false

  async function send(spans: SpanRecord[]): Promise<void> {
    const body = { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'bursar' }, spans }] }] }
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`it answered ${answer.status}`)
    } catch (error) {
      lost += spans.length
      tell(error)
      // The service does not wait for a collector that takes nothing.
      if (isStopping) waiting = []
    }
  }

  function tell(error: unknown) {
    if (performance.now() - toldMs < quietMs) return
    toldMs = performance.now()
    log.warn({ lost, reason: messageOf(error) }, 'The collector takes no traces')
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) await send(waiting.splice(0, mostInRequest))
  }

  /** Sends the waiting spans. Never rejects. */
  function flush(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = null
    })
    return sending
  }

  const timer = setInterval(() => void flush(), pauseMs)
  timer.unref()
  return {
    add(span: SpanRecord) {
      if (waiting.length >= mostWaiting) lost += 1
      else waiting.push(span)
      if (waiting.length >= mostInRequest) void flush()
    },
    flush,
    async stop() {
      clearInterval(timer)
      isStopping = true
      await flush()
    },
  }
}

export const text = (key: string, value: string): Attribute => ({ key, value: { stringValue: value } })
export const number = (key: string, value: number): Attribute => ({ key, value: { intValue: String(value) } })
