import type { Envelope, EventType } from '@bursar/contracts/event'
import { eventCatalogue } from '@bursar/contracts/events'
import { JournalSealed } from '@bursar/contracts/ledger-seals'
import type { LogEntry } from '@bursar/contracts/log-entry'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { type Consumer, consumer } from '@bursar/http'
import { receiveAll } from '@bursar/store'
import type { TrackerDeps } from '../deps'
import { recordLogMessages } from './record-log-messages'

/** Events for the tracker that are not log messages. */
const notLogged: ReadonlySet<string> = new Set([JournalSealed.name])

/**
 * Stores every event that names the tracker among its consumers as a log message, once, and sends it to the readers of
 * the stream, those at other instances as well. Events that arrive together are stored together. Throws when such an event defines no log message (`log`).
 */
export function logMessageConsumers(
  { store, stream, siblings }: Pick<TrackerDeps, 'store' | 'stream' | 'siblings'>,
  events: Iterable<EventType> = eventCatalogue.values(),
): Consumer[] {
  const logged = [...events].filter(({ name, consumers }) => consumers.includes('log-tracker') && !notLogged.has(name))
  const entriesOf = new Map(logged.map((event) => [event.name, entriesFor(event)]))
  const take = receiveAll(
    store,
    ({ id }) => id,
    async (tx, envelopes) => {
      const each = envelopes.map((envelope) => entriesOf.get(envelope.name)?.(envelope) ?? [])
      const messages = await recordLogMessages(tx, each.flat())
      return each.map(({ length }) => messages.splice(0, length))
    },
  )
  return logged.map((event) =>
    consumer(event, async (envelope) => {
      for (const message of (await take(envelope))?.result ?? []) {
        stream.send(message)
        siblings.tell(streamed, JSON.stringify(message))
      }
    }),
  )
}

/** Passes on what other instances have stored; while that may be incomplete, readers must ask for what they missed. */
export function followSiblings({ stream, siblings }: Pick<TrackerDeps, 'stream' | 'siblings'>): void {
  siblings.on(streamed, (text) => stream.send(JSON.parse(text)))
  siblings.onMissed(() => stream.interrupt())
}

const streamed = 'log message'

function entriesFor(event: EventType): (envelope: Envelope) => LogEntry[] {
  if (event.name === LogRecorded.name) return ({ data }) => [data as LogEntry]
  const { log } = event
  if (!log) throw new Error(`${event.name} names the log tracker as a consumer but defines no log message (log)`)
  return ({ id, service, requestId, timestamp, data }) =>
    [log(data)].flat().map((wording) => ({ service, request_id: requestId ?? id, timestamp, ...wording }))
}
