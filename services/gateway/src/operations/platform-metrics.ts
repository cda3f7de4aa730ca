import { getMetrics } from '@bursar/contracts/operations'
import { type ServiceName, services } from '@bursar/contracts/services'
import { type Client, createSingleFlight } from '@bursar/http'

const names = Object.keys(services) as ServiceName[]
const timeoutMs = 1500
const mostBytes = 16 * 1024 * 1024

/**
 * The figures of all services in Prometheus' text form with exemplars, and `bursar_up` for each: 0 for one that gave none in time.
 * Scrapes that come together share one round.
 */
export function createPlatformMetrics(client: Client, own: () => Promise<string>): () => Promise<string> {
  const once = createSingleFlight<string>()
  const ask = (name: ServiceName): Promise<string | null> =>
    name === 'gateway'
      ? own()
      : client.call(getMetrics(name), { timeoutMs, mostBytes }).then(
          ({ text }) => text,
          () => null,
        )
  return () =>
    once('all', async () => {
      const texts = await Promise.all(names.map(ask))
      const up = names.map((name, place) => `bursar_up{service="${name}"} ${texts[place] === null ? 0 : 1}\n`)
      const head = '# HELP bursar_up Whether the service gave the gateway its figures: 1 or 0\n# TYPE bursar_up gauge\n'
      return `${head}${up.join('')}${mergeTexts(texts.filter((text) => text !== null))}`
    })
}

/** Several texts as one: the lines of a figure stand together, below one HELP and one TYPE. */
export function mergeTexts(texts: readonly string[]): string {
  const families = new Map<string, { head: string[]; samples: string[] }>()
  for (const text of texts) {
    let family: { head: string[]; samples: string[] } = { head: [], samples: [] }
    let isFirst = false
    for (const line of text.split('\n')) {
      const [, name] = /^# HELP (\S+)/.exec(line) ?? []
      if (name !== undefined) {
        isFirst = !families.has(name)
        family = families.get(name) ?? { head: [], samples: [] }
        families.set(name, family)
      }
      if (line.startsWith('#')) {
        if (isFirst) family.head.push(line)
      } else if (line !== '') family.samples.push(line)
    }
  }
  return [...families.values()].map(({ head, samples }) => `${[...head, ...samples].join('\n')}\n`).join('')
}
