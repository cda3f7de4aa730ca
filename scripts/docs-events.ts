/**
 * `bun run docs:events`: writes docs/events.md and docs/webhook-events.md from the catalogues of events. test/tidy.test.ts
 * fails while one is stale.
 */
import { join } from 'node:path'
import { eventCatalogue } from '@bursar/contracts/events'
import { webhookEvents } from '@bursar/contracts/webhook-events'
import { eventsDocument } from './docs-events/events-document'
import { webhooksDocument } from './docs-events/webhooks-document'

const folder = join(import.meta.dir, '../docs')
await Bun.write(join(folder, 'events.md'), eventsDocument(eventCatalogue.values()))
await Bun.write(join(folder, 'webhook-events.md'), webhooksDocument(webhookEvents))
console.log(
  `${eventCatalogue.size} events are written to docs/events.md, ${webhookEvents.length} to docs/webhook-events.md`,
)
