import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EventType } from '@bursar/contracts/event'
import { eventCatalogue } from '@bursar/contracts/events'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { DeliveryRequested } from '@bursar/contracts/webhook'
import { webhookEvents } from '@bursar/contracts/webhook-events'
import { eventsDocument } from '../../scripts/docs-events/events-document'
import { webhooksDocument } from '../../scripts/docs-events/webhooks-document'
import { servicePages } from '../../scripts/docs-services/pages'
import { readSettings } from '../../scripts/docs-services/settings'
import { filesIn, importsOf, isTest, type Rule, serviceNames, type Tree } from './tree'

const contracts = join(import.meta.dir, '../../packages/contracts/src')

/** The name under which a contract exports each event of the catalogue. */
const constants = new Map<string, string>()
for (const file of readdirSync(contracts).filter((name) => /(?<!\.test)\.ts$/.test(name))) {
  for (const [constant, value] of Object.entries(await import(join(contracts, file)))) {
    const { name } = (value ?? {}) as Partial<EventType>
    if (name !== undefined && eventCatalogue.get(name) === value) constants.set(name, constant)
  }
}
/** Those of the contracts: other tests of the same run declare events of their own. */
const events: readonly EventType[] = [...eventCatalogue.values()].filter(({ name }) => constants.has(name))
const constantOf = ({ name }: EventType): string => constants.get(name) ?? name

const inCatalogue: Rule = {
  says: 'events.ts imports every contract that declares an event',
  complaints: (tree) => {
    const folder = 'packages/contracts/src/'
    const imported = importsOf(tree.get(`${folder}events.ts`) ?? '').map(({ from }) => from.replace('./', folder))
    return filesIn(tree, /^packages\/contracts\/src\/(?!event\.ts)[^/]+\.ts$/)
      .filter(([path, text]) => !isTest(path) && importsOf(text).some(({ from }) => from === './event'))
      .filter(([path, text]) => /\bevent\(/.test(text) && !imported.includes(path.replace('.ts', '')))
      .map(([path]) => `${path}: declares an event and is not imported in events.ts`)
  },
  breaks: [
    {
      'packages/contracts/src/events.ts': "import './customer'\n",
      'packages/contracts/src/refund.ts':
        "import { event } from './event'\nexport const Made = event('a.x.made', X, {})\n",
    },
  ],
}

/** True when a source of this folder, consumers aside, names the event beside an `emit`. */
function emits(tree: Tree, folder: string, constant: string): boolean {
  const names = new RegExp(`\\bemit(?:All|Awaited)?\\([^;]*?\\b${constant}\\b`)
  return filesIn(tree, /(?<!\.consumer)\.ts$/).some(
    ([path, text]) => path.startsWith(folder) && !isTest(path) && names.test(text),
  )
}

/** Events that others emit, to ask something of the service that they are named after. */
const asking = new Map<string, string>([
  [LogRecorded.name, 'packages/http/'],
  [DeliveryRequested.name, 'services/'],
])

const produced: Rule = {
  says: 'a service emits every event that begins with its name',
  complaints: (tree) =>
    events.flatMap((event) => {
      const producer = event.name.split('.')[0] ?? ''
      const built = serviceNames(tree).includes(producer)
      const folder = asking.get(event.name) ?? `services/${producer}/`
      return built && !emits(tree, folder, constantOf(event)) ? [`${event.name}: ${folder} does not emit it`] : []
    }),
  breaks: [
    { 'services/customer/src/customers/customers.ts': 'await emit(tx, CustomerCreated, {})\n' },
    { 'services/customer/src/x/x.consumer.ts': 'emit(tx, CustomerCreated, {}); emit(tx, CustomerUpdated, {})\n' },
  ],
}

/** The events that a text acts on. */
const takenIn = (text: string): string[] =>
  [...text.matchAll(/\bconsumer\(\s*(\w+)/g)].map(([, constant = '']) => constant)

/** What packages/http has for the consumers of several services, by its name: the events that it acts on. */
const sharedConsumers = (tree: Tree): [name: string, taken: Set<string>][] =>
  filesIn(tree, /^packages\/http\/src\/peers\/[^/]+\.ts$/).flatMap(([, text]) =>
    [...text.matchAll(/^export function (\w+Consumers)\b/gm)].map(([, name = '']): [string, Set<string>] => [
      name,
      new Set(takenIn(text)),
    ]),
  )

/** True when a consumer of the service names the event, or goes through the catalogue, as the log tracker does. */
function consumes(tree: Tree, service: string, event: EventType): boolean {
  const shared = sharedConsumers(tree).flatMap(([name, taken]) => (taken.has(constantOf(event)) ? [name] : []))
  const names = new RegExp(`\\b(${[constantOf(event), 'eventCatalogue', ...shared].join('|')})\\b`)
  const consumers = filesIn(tree, /\.consumer\.ts$/).filter(([path]) => path.startsWith(`services/${service}/`))
  return consumers.some(([, text]) => names.test(text))
}

const consumed: Rule = {
  says: 'every event has a consumer, and each of its consumers acts on it',
  complaints: (tree) =>
    events.flatMap((event) => [
      ...event.consumers
        .filter((service) => serviceNames(tree).includes(service) && !consumes(tree, service, event))
        .map((service) => `${event.name}: ${service} is its consumer, and no *.consumer.ts of it acts on it`),
      ...(event.consumers.length === 0 ? [`${event.name}: its contract names no consumer`] : []),
    ]),
  breaks: [
    { 'services/log-tracker/src/x/x.consumer.ts': 'consumer(LogRecorded, handle)\n' },
    { 'services/account/src/x/x.consumer.ts': 'consumer(CustomerCreated, handle)\n' },
  ],
}

const delivered: Rule = {
  says: 'a service acts only on events whose contract names it as a consumer',
  complaints: (tree) =>
    filesIn(tree, /^services\/[^/]+\/.*\.consumer\.ts$/).flatMap(([path, text]) => {
      const service = path.split('/')[1] ?? ''
      const shared = sharedConsumers(tree).flatMap(([name, each]) => (text.includes(`${name}(`) ? [...each] : []))
      const taken = new Set([...takenIn(text), ...shared])
      return events
        .filter((event) => taken.has(constantOf(event)) && !event.consumers.some((name) => name === service))
        .map((event) => `${path}: ${event.name} never comes here: its contract does not name ${service}`)
    }),
  breaks: [
    { 'services/quote/src/x/x.consumer.ts': 'consumer(LogRecorded, handle)\n' },
    {
      'packages/http/src/peers/lines.ts':
        'export function lineConsumers() {\n  return [consumer(LogRecorded, handle)]\n}\n',
      'services/quote/src/x/x.consumer.ts': 'export const all = lineConsumers(store)\n',
    },
  ],
}

const pages = { 'docs/events.md': eventsDocument(events), 'docs/webhook-events.md': webhooksDocument(webhookEvents) }

const documented: Rule = {
  says: 'docs/events.md and docs/webhook-events.md are what `bun run docs:events` writes',
  complaints: (tree) =>
    Object.entries(pages)
      .filter(([path, text]) => tree.get(path) !== text)
      .map(([path]) => `${path}: is stale; run bun run docs:events`),
  breaks: [{ 'docs/events.md': '# Events\n' }, { 'docs/events.md': pages['docs/events.md'] }],
}

/** The pages of docs/services, made from a tree. */
const pagesOf = (tree: Tree) =>
  servicePages((path) => tree.get(path), {
    events,
    settings: readSettings(tree.get('.env.example') ?? ''),
    sourcesOf: (name) =>
      filesIn(tree, /\.ts$/).flatMap(([path, text]) => (path.startsWith(`services/${name}/src/`) ? [text] : [])),
  })

const described: Rule = {
  says: 'docs/services/*.md have what `bun run docs:services` writes, and words of our own before it',
  complaints: (tree) =>
    pagesOf(tree).flatMap(({ path, current, expected }) => [
      ...(current === expected ? [] : [`${path}: is stale; run bun run docs:services`]),
      ...(/^# .+\n\n\w/.test(current) ? [] : [`${path}: does not say what the service does`]),
    ]),
  breaks: [
    { 'docs/services/quote.md': '# Quote\n\nRates.\n' },
    Object.fromEntries(pagesOf(new Map()).map(({ path, expected }) => [path, expected])),
  ],
}

export const eventRules = [inCatalogue, produced, consumed, delivered, documented, described]
