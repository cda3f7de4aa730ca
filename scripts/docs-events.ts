// `bun run docs:events`: writes docs/events.md from the catalogue of events. test/tidy.test.ts fails while it is stale.
import { join } from 'node:path'
import { eventCatalogue } from '@bursar/contracts/events'
import { eventsDocument } from './docs-events/events-document'

const path = join(import.meta.dir, '../docs/events.md')
await Bun.write(path, eventsDocument(eventCatalogue.values()))
console.log(`${eventCatalogue.size} events are written to docs/events.md`)
