import type { Envelope, EventType } from '@bursar/contracts/event'
import { eventCatalogue } from '@bursar/contracts/events'
import { JournalSealed } from '@bursar/contracts/ledger-seals'
import type { LogEntry } from '@bursar/contracts/log-entry'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { type Consumer, consumer } from '@bursar/http'
import { inTurn, type OpenStore, receiveAll, type Worker } from '@bursar/store'
import type { TrackerDeps } from '../deps'
import { waitingMessages } from './log-messages.table'
import { recordLogMessages } from './record-log-messages'

/** Events for the tracker that are not log messages. */
const notLogged: ReadonlySet<string> = new Set([JournalSealed.name])

const recording = inTurn(waitingMessages, 'The recording of log messages', (tx, entries: readonly LogEntry[]) =>
  recordLogMessages(tx, entries),
)

/** Stores messages that wait, and sends them to the readers of the stream. */
export const recordingWorkers = ({ store, stream }: { store: OpenStore } & Pick<TrackerDeps, 'stream'>): Worker[] =>
  recording.workers(store, (messages) => {
    for (const message of messages) stream.send(message)
  })

/**
 * Stores every event that names the tracker among its consumers as a log message, once, and sends it to the readers of
 * the stream. Events that arrive together are stored together. Throws when such an event defines no log message (`log`).
 */
export function logMessageConsumers(
  { store, stream }: Pick<TrackerDeps, 'store' | 'stream'>,
  events: Iterable<EventType> = eventCatalogue.values(),
): Consumer[] {
  const logged = [...events].filter(({ name, consumers }) => consumers.includes('log-tracker') && !notLogged.has(name))
  const entriesOf = new Map(logged.map((event) => [event.name, entriesFor(event)]))
  const take = receiveAll(
    store,
    ({ id }) => id,
    async (tx, envelopes) => {
      const each = envelopes.map((envelope) => entriesOf.get(envelope.name)?.(envelope) ?? [])
      const messages = [...((await recording.add(tx, each.flat())) ?? [])]
      return each.map(({ length }) => messages.splice(0, length))
    },
  )
  return logged.map((event) =>
    consumer(event, async (envelope) => {
      for (const message of (await take(envelope))?.result ?? []) stream.send(message)
      await recording.wake(store)
    }),
  )
}

function entriesFor(event: EventType): (envelope: Envelope) => LogEntry[] {
  if (event.name === LogRecorded.name) return ({ data }) => [data as LogEntry]
  const { log } = event
  if (!log) throw new Error(`${event.name} names the log tracker as a consumer but defines no log message (log)`)
  return ({ id, service, requestId, timestamp, data }) =>
    [log(data)].flat().map((wording) => ({ service, request_id: requestId ?? id, timestamp, ...wording }))
}
