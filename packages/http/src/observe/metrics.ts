/// <reference path="./prom-client.d.ts" />
// Imported in parts: the whole package also loads the cluster module, four megabytes.
import Gauge from 'prom-client/lib/gauge'
import Registry from 'prom-client/lib/registry'
import { createRequestFigures } from './request-figures'

/** A figure that is computed when metrics are read; null if it is not available now. */
interface MetricSource {
  name: string
  help: string
  read: () => number | null | Promise<number | null>
}

/** Figures of one name, distinguished by a label. */
interface LabelledSource {
  name: string
  help: string
  label: string
  /** The figures by the label's value. */
  read: () => Record<string, number> | Promise<Record<string, number>>
}

export interface Metrics {
  /** Counts an answered request and its time in seconds; `traceId` is of the trace that records it, null for none. */
  observe(method: string, route: string, status: number, seconds: number, traceId: string | null): void
  /** Adds a figure that is computed at each scrape. */
  add(source: MetricSource): void
  /** Adds figures that are computed at each scrape. */
  addLabelled(source: LabelledSource): void
  /** The figures without a label, by name; those not available now are left out. */
  figures(): Promise<Record<string, number>>
  /** All figures in Prometheus' text form, with exemplars: for `metricsFor`. */
  text(): Promise<string>
}

/** A registry per service, so that several services in one process keep their figures apart. */
export function createMetrics(service: string, version: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  const registers = [registry]
  const requests = createRequestFigures(service)
  new Gauge({ name: 'bursar_build_info', help: '1, with the version', labelNames: ['version'], registers }).set(
    { version },
    1,
  )
  const sources = new Map<string, MetricSource['read']>()
  const metrics: Metrics = {
    observe: requests.observe,
    add: ({ name, help, read }) => {
      sources.set(name, read)
      const gauge = new Gauge({
        name,
        help,
        registers,
        async collect() {
          const value = await attempt(read)
          // Not `reset`, which sets 0.
          if (value === null) gauge.remove()
          else gauge.set(value)
        },
      })
    },
    addLabelled: ({ name, help, label, read }) => {
      const gauge = new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          const values = await attempt(read)
          gauge.reset()
          for (const [value, figure] of Object.entries(values ?? {})) gauge.set({ [label]: value }, figure)
        },
      })
    },
    figures: async () => {
      const read = async ([name, source]: [string, MetricSource['read']]) => [name, await attempt(source)] as const
      const all = await Promise.all([...sources].map(read))
      return Object.fromEntries(all.filter((each): each is [string, number] => each[1] !== null))
    },
    text: async () => `${requests.text()}${await registry.metrics()}`,
  }
  metrics.add({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process in bytes',
    read: () => process.memoryUsage.rss(),
  })
  return metrics
}

/** A figure that cannot be read is left out; the others are still reported. */
const attempt = async <T>(read: () => T | Promise<T>): Promise<T | null> => {
  try {
    return await read()
  } catch {
    return null
  }
}
