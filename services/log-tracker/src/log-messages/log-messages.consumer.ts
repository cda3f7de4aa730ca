import type { Envelope, EventType } from '@bursar/contracts/event'
import { eventCatalogue } from '@bursar/contracts/events'
import type { LogEntry } from '@bursar/contracts/log-entry'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { type Consumer, consumer } from '@bursar/http'
import { receive, type Store } from '@bursar/store'
import type { LiveStream } from '../stream/live-stream'
import type { LogMessage } from './log-messages.model'
import { recordLogMessage } from './record-log-message'

/**
 * Stores every event that names the tracker among its consumers as a log message, once, and sends it to those who
 * follow the stream. Throws when such an event does not say how it reads in the log.
 */
export const logMessageConsumers = (
  { store }: { store: Store },
  stream: LiveStream,
  events: Iterable<EventType> = eventCatalogue.values(),
): Consumer[] =>
  [...events]
    .filter(({ consumers }) => consumers.includes('log-tracker'))
    .map((event) => {
      const toEntries = entriesOf(event)
      return consumer(event, (envelope) => storeOnce(store, envelope, toEntries(envelope), stream))
    })

async function storeOnce(store: Store, envelope: Envelope, entries: LogEntry[], stream: LiveStream): Promise<void> {
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
  if (!log) throw new Error(`${event.name} names the log tracker but does not say how it reads there (log)`)
  return ({ id, service, requestId, timestamp, data }) =>
    [log(data)].flat().map((wording) => ({ service, request_id: requestId ?? id, timestamp, ...wording }))
}
