import type { EventType } from '@bursar/contracts/event'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { fieldRows } from './field-rows'
import { markdownTable } from './markdown-table'

const introduction = `# Events

What the services say to each other over Redis. \`bun run docs:events\` writes this page from the contracts
(\`packages/contracts/src\`); do not edit it.

An event is a fact. It is stored in the outbox in the commit that makes it true, published after it, and delivered at
least once; consumers keep an inbox, so that a repeat acts once. Order is not promised: records carry
the number of their last change (\`epoch\`, \`version\`), and every envelope its time.
Every event travels in the same envelope:

| field | type | meaning |
|---|---|---|
| id | string (UUID v7) | the event's id; a repeat has the same one |
| name | string | the name in the tables below |
| type | string | what the specification calls it, else the name again |
| timestamp | string (date-time) | when it happened, UTC |
| requestId | string or null | the request that caused it |
| service | string | the publishing service |
| data | object | the fields below |
`

/** The page of all events: what each is called, who publishes it, who consumes it, and its fields. */
export function eventsDocument(catalogue: Iterable<EventType>): string {
  const events = [...catalogue].sort((a, b) => (a.name < b.name ? -1 : 1))
  const overview = markdownTable(
    ['event', 'producer', 'consumers', 'line in the log tracker'],
    events.map((event) => [
      linkTo(event.name),
      producerOf(event),
      event.consumers.join(', ') || 'none yet',
      lineOf(event),
    ]),
  )
  return `${[introduction.trimEnd(), overview, ...events.map(section)].join('\n\n')}\n`
}

/** The service that an event's name begins with. A log message may come from any of them. */
const producerOf = ({ name }: EventType): string =>
  name === LogRecorded.name ? 'every service' : (name.split('.')[0] ?? '')

const linkTo = (name: string): string => `[${name}](#${name.replaceAll('.', '')})`

/** The tracker words an event by its `log`, and keeps a log message as it is. */
function lineOf({ name, log }: EventType): string {
  if (name === LogRecorded.name) return 'as it says'
  return log ? 'yes' : 'no'
}

function section(event: EventType): string {
  const specified = event.type === event.name ? '' : `In the specification: \`${event.type}\`. `
  const between = `From ${producerOf(event)} to ${event.consumers.join(', ') || 'nobody yet'}.`
  const rows = fieldRows(event.payload).map(({ field, type, isOptional, meaning }) => [
    `\`${field}\``,
    isOptional ? `${type}, optional` : type,
    meaning,
  ])
  return `## ${event.name}\n\n${specified}${between}\n\n${markdownTable(['field', 'type', 'meaning'], rows)}`
}
