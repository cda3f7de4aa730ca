import type { EventType } from '@bursar/contracts/event'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { type ServiceName, services } from '@bursar/contracts/services'
import { DeliveryRequested } from '@bursar/contracts/webhook'
import { markdownTable } from '../docs-events/markdown-table'
import type { Setting } from './settings'

/** The sources of the pages. */
export interface Sources {
  events: readonly EventType[]
  settings: readonly Setting[]
  /** The text of each source file of a service, by path. */
  sourcesOf(name: ServiceName): readonly string[]
}

/** Separates the written part from the generated one. */
export const mark = '<!-- What follows is written by `bun run docs:services`. -->'

/** The generated part of a service's page: its addresses, events and settings. */
export const generatedPart = (name: ServiceName, sources: Sources): string =>
  [place(name), '## Events', eventLines(name, sources), '## Settings', settingLines(name, sources)].join('\n\n')

function place(name: ServiceName): string {
  const { slug, port } = services[name]
  const variable = `${slug.toUpperCase()}_PORT`
  const behind = name === 'gateway' ? 'all paths' : name === 'log-tracker' ? '`/tracker/v1/…`' : `\`/${slug}/v1/…\``
  return [
    '## Where',
    '',
    markdownTable(
      ['', ''],
      [
        ['port', `${port} (\`${variable}\`)`],
        ['through the gateway', behind],
        ['database', `\`${slug}.sqlite\` in \`DATA_DIR\``],
        ['routes', `\`http://127.0.0.1:${port}/swagger\` while it runs`],
        ['code', `[services/${name}](../../services/${name})`],
      ],
    ),
  ].join('\n')
}

function eventLines(name: ServiceName, sources: Sources): string {
  // The catalogue's order is that of loading the contracts, which differs by program.
  const events = sources.events.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const published = events.filter((event) => publishes(name, event, sources))
  const consumed = events.filter(({ consumers }) => consumers.includes(name))
  const rows = [
    ...published.map((event) => ['publishes', linkTo(event), event.consumers.join(', ')]),
    ...consumed.map((event) => ['consumes', linkTo(event), '']),
  ]
  const all = 'Like every service it publishes its lines for the log tracker.'
  return rows.length === 0 ? `None of its own. ${all}` : `${markdownTable(['', 'event', 'for'], rows)}\n\n${all}`
}

const linkTo = ({ name }: EventType): string => `[${name}](../events.md#${name.replaceAll('.', '')})`

/** An event belongs to the service in its name, but any service may request a delivery. */
const publishes = (name: ServiceName, event: EventType, { sourcesOf }: Sources): boolean =>
  event.name === DeliveryRequested.name
    ? sourcesOf(name).some((text) => /\bemit(?:All)?\([^;]*?\bDeliveryRequested\b/.test(text))
    : event.name.startsWith(`${name}.`) && event.name !== LogRecorded.name

function settingLines(name: ServiceName, { settings, sourcesOf }: Sources): string {
  const words = new Set(
    sourcesOf(name).flatMap((text) => text.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\bSCREENING\b/g) ?? []),
  )
  const own = settings.filter((setting) => words.has(setting.name) && !ports.has(setting.name))
  const others = 'those that [all services](README.md#settings-of-all-services) have'
  if (own.length === 0) return `None of its own, besides ${others}.`
  return `${settingTable(own)}\n\nAnd ${others}.`
}

/** The ports of the services, each of which its page names already. */
export const ports: ReadonlySet<string> = new Set(
  Object.values(services).map(({ slug }) => `${slug.toUpperCase()}_PORT`),
)

/** Settings with their defaults or examples, and what they mean. */
export const settingTable = (settings: readonly Setting[]): string =>
  markdownTable(
    ['setting', 'default or example', 'meaning'],
    settings.map(({ name, value, meaning }) => [`\`${name}\``, value === '' ? '' : `\`${value}\``, meaning]),
  )
