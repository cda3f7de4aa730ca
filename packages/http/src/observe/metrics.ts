/// <reference path="./prom-client.d.ts" />
// Its parts one by one: the whole of it brings the cluster along, four megabytes.
import Counter from 'prom-client/lib/counter'
import Gauge from 'prom-client/lib/gauge'
import Histogram from 'prom-client/lib/histogram'
import Registry from 'prom-client/lib/registry'

/** What a service is asked for when its metrics are read; null where it cannot tell right now. */
export type MetricSource = { name: string; help: string; read: () => number | null | Promise<number | null> }

export interface Metrics {
  /** Counts an answered request and its time in seconds. */
  observe(method: string, route: string, status: number, seconds: number): void
  /** Adds a figure that is asked for at each scrape. */
  add(source: MetricSource): void
  /** All figures in Prometheus' text form. */
  text(): Promise<string>
  readonly contentType: string
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** A service's own registry: in one process with others, each keeps its figures apart. */
export function createMetrics(service: string, version: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  const registers = [registry]
  const labelNames = ['method', 'route', 'status'] as const
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to its answer',
    labelNames,
    buckets,
    registers,
  })
  const requests = new Counter({ name: 'http_requests_total', help: 'Requests answered', labelNames, registers })
  new Gauge({ name: 'bursar_build_info', help: '1, with the version', labelNames: ['version'], registers }).set(
    { version },
    1,
  )
  const memory = { name: 'process_resident_memory_bytes', help: 'Resident memory of the process in bytes' }
  const metrics: Metrics = {
    observe: (method, route, status, seconds) => {
      const labels = { method, route, status }
      duration.observe(labels, seconds)
      requests.inc(labels)
    },
    add: ({ name, help, read }) => {
      const gauge = new Gauge({
        name,
        help,
        registers,
        async collect() {
          const value = await Promise.resolve(read()).catch(() => null)
          // Not `reset`, which sets 0.
          if (value === null) gauge.remove()
          else gauge.set(value)
        },
      })
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
  metrics.add({ ...memory, read: () => process.memoryUsage.rss() })
  return metrics
}
