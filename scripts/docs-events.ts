/**
 * `bun run docs:events`: writes docs/events.md and docs/webhook-events.md from the catalogues of events. test/tidy.test.ts
 * fails while one is stale.
 */
import { join } from 'node:path'
import { eventCatalogue } from '@bursar/contracts/events'
import { webhookEvents } from '@bursar/contracts/webhook-events'
import { eventsDocument } from './docs-events/events-document'
import { webhooksDocument } from './docs-events/webhooks-document'
import { runCommand } from './stack/command'

const help = `Usage: bun run docs:events

Writes docs/events.md and docs/webhook-events.md from the contracts: after a change of an event.
`

const folder = join(import.meta.dir, '../docs')

await runCommand({ name: 'docs:events', help }, async () => {
  await Bun.write(join(folder, 'events.md'), eventsDocument(eventCatalogue.values()))
  await Bun.write(join(folder, 'webhook-events.md'), webhooksDocument(webhookEvents))
  return `${eventCatalogue.size} events are written to docs/events.md, ${webhookEvents.length} to docs/webhook-events.md`
})
