const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

interface Figures {
  readonly labels: string
  count: number
  seconds: number
  /** How many requests took at most the bucket's time, but longer than the bucket before. */
  readonly within: Uint32Array
  /** The newest request of each bucket that is in a recorded trace, and of those that took longer than all. */
  readonly exemplars: (Exemplar | undefined)[]
}

interface Exemplar {
  traceId: string
  seconds: number
}

/**
 * Counts of the requests that a service has answered. Plain numbers, converted into Prometheus' figures when read: every request is counted, and prom-client's own
 * counters would cost it 4 µs. `service` goes into each line.
 */
export function createRequestFigures(service: string) {
  const byMethod = new Map<string, Map<string, Map<number, Figures>>>()
  const all: Figures[] = []

  function figuresOf(method: string, route: string, status: number): Figures {
    const byRoute = byMethod.getOrInsertComputed(method, () => new Map())
    const byStatus = byRoute.getOrInsertComputed(route, () => new Map())
    return byStatus.getOrInsertComputed(status, () => {
      const labels = `method="${escaped(method)}",route="${escaped(route)}",status="${status}",service="${escaped(service)}"`
      const figures = { labels, count: 0, seconds: 0, within: new Uint32Array(buckets.length), exemplars: [] }
      all.push(figures)
      return figures
    })
  }

  return {
    /** `traceId`: of the trace that records it; null for none. */
    observe(method: string, route: string, status: number, seconds: number, traceId: string | null) {
      const figures = figuresOf(method, route, status)
      figures.count += 1
      figures.seconds += seconds
      const place = buckets.findIndex((bound) => seconds <= bound)
      if (place >= 0) figures.within[place] = (figures.within[place] ?? 0) + 1
      if (traceId !== null) figures.exemplars[place >= 0 ? place : buckets.length] = { traceId, seconds }
    },
    /** All of them in Prometheus' text form, buckets with exemplars (`metricsFor`). */
    text: () => `${durationText(all)}${countText(all)}`,
  }
}

function durationText(all: readonly Figures[]): string {
  const name = 'http_request_duration_seconds'
  const lines = all.flatMap(({ labels, count, seconds, within, exemplars }) => {
    let sum = 0
    const bounds = buckets.map((bound, place) => {
      sum += within[place] ?? 0
      return `${name}_bucket{le="${bound}",${labels}} ${sum}${exemplarText(exemplars[place])}`
    })
    const last = exemplarText(exemplars[buckets.length])
    const whole = [`${name}_bucket{le="+Inf",${labels}} ${count}${last}`, `${name}_sum{${labels}} ${seconds}`]
    return [...bounds, ...whole, `${name}_count{${labels}} ${count}`]
  })
  return block(name, 'Time from the first byte of a request to its answer', 'histogram', lines)
}

const exemplarText = (exemplar: Exemplar | undefined): string =>
  exemplar ? ` # {trace_id="${exemplar.traceId}"} ${exemplar.seconds}` : ''

const countText = (all: readonly Figures[]): string =>
  block(
    'http_requests_total',
    'Requests answered',
    'counter',
    all.map(({ labels, count }) => `http_requests_total{${labels}} ${count}`),
  )

const block = (name: string, help: string, type: string, lines: readonly string[]): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.map((line) => `${line}\n`).join('')}\n`

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
