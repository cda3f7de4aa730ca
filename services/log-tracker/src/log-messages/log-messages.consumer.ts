import type { Envelope, EventType } from '@bursar/contracts/event'
import { eventCatalogue } from '@bursar/contracts/events'
import { JournalSealed } from '@bursar/contracts/ledger-seals'
import type { LogEntry } from '@bursar/contracts/log-entry'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { type Consumer, consumer } from '@bursar/http'
import { receive } from '@bursar/store'
import type { TrackerDeps } from '../deps'
import type { LogMessage } from './log-messages.model'
import { recordLogMessage } from './record-log-message'

/** Events for the tracker that are not log messages. */
const notLogged: ReadonlySet<string> = new Set([JournalSealed.name])

/**
 * Stores every event that names the tracker among its consumers as a log message, once, and sends it to the readers of
 * the stream. Throws when such an event defines no log message (`log`).
 */
export const logMessageConsumers = (
  deps: Pick<TrackerDeps, 'store' | 'stream'>,
  events: Iterable<EventType> = eventCatalogue.values(),
): Consumer[] =>
  [...events]
    .filter(({ name, consumers }) => consumers.includes('log-tracker') && !notLogged.has(name))
    .map((event) => {
      const toEntries = entriesOf(event)
      return consumer(event, (envelope) => storeOnce(deps, envelope, toEntries(envelope)))
    })

async function storeOnce(
  { store, stream }: Pick<TrackerDeps, 'store' | 'stream'>,
  envelope: Envelope,
  entries: LogEntry[],
): Promise<void> {
  let messages: LogMessage[] = []
  const isNew = await receive(store, envelope, async (tx) => {
    messages = []
    for (const entry of entries) messages.push(await recordLogMessage(tx, entry))
  })
  if (isNew) for (const message of messages) stream.send(message)
}

function entriesOf(event: EventType): (envelope: Envelope) => LogEntry[] {
  if (event.name === LogRecorded.name) return ({ data }) => [data as LogEntry]
  const { log } = event
  if (!log) throw new Error(`${event.name} names the log tracker as a consumer but defines no log message (log)`)
  return ({ id, service, requestId, timestamp, data }) =>
    [log(data)].flat().map((wording) => ({ service, request_id: requestId ?? id, timestamp, ...wording }))
}
