import { getMetrics } from '@bursar/contracts/operations'
import { type ServiceName, serviceNames } from '@bursar/contracts/services'
import { createSingleFlight } from '@bursar/http'
import type { InstancesOf } from './instances'

const timeoutMs = 1500
const mostBytes = 16 * 1024 * 1024

/**
 * The metrics of all services in Prometheus' text form with exemplars, and `bursar_up` for each: 0 if it gave none in
 * time. Metrics of a service with several instances name the instance: `instance="10.0.0.5:4001"`. Simultaneous scrapes
 * share one round.
 */
export function createPlatformMetrics(instancesOf: InstancesOf, own: () => Promise<string>): () => Promise<string> {
  const once = createSingleFlight<string>()
  const askAll = (name: ServiceName): Promise<Scraped>[] => {
    if (name === 'gateway') return [own().then((text) => ({ labels: `service="${name}"`, text }))]
    const instances = instancesOf(name)
    return instances.map(async ({ address, client }) => {
      const instance = instances.length === 1 ? '' : `instance="${new URL(address).host}"`
      const text = await client.call(getMetrics(name), { timeoutMs, mostBytes }).then(
        (answer) => labelled(answer.text, instance),
        () => null,
      )
      return { labels: [`service="${name}"`, instance].filter(Boolean).join(','), text }
    })
  }
  return () =>
    once('all', async () => {
      const found = await Promise.all(serviceNames.flatMap(askAll))
      const up = found.map(({ labels, text }) => `bursar_up{${labels}} ${text === null ? 0 : 1}\n`)
      const head = '# HELP bursar_up Whether the service gave the gateway its figures: 1 or 0\n# TYPE bursar_up gauge\n'
      return `${head}${up.join('')}${mergeTexts(found.flatMap(({ text }) => text ?? []))}`
    })
}

interface Scraped {
  labels: string
  /** Null for an instance that gave none. */
  text: string | null
}

/** Adds a label to every sample; exemplars keep their own labels. */
export const labelled = (text: string, label: string): string =>
  label === ''
    ? text
    : text.replaceAll(
        /^([a-zA-Z_:][\w:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})? /gm,
        (_, name: string, labels?: string) => {
          return `${name}{${[labels, label].filter(Boolean).join(',')}} `
        },
      )

/** Merges texts: the lines of a metric stand together, below one HELP and one TYPE. */
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
