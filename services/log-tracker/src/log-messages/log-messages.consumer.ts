import type { Envelope, EventType } from '@bursar/contracts/event'
import { eventCatalogue } from '@bursar/contracts/events'
import { JournalSealed } from '@bursar/contracts/ledger-seals'
import type { LogEntry } from '@bursar/contracts/log-entry'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { type Consumer, consumer, noSiblings } from '@bursar/http'
import { inTurn, type OpenStore, receiveAll, type Worker } from '@bursar/store'
import type { TrackerDeps } from '../deps'
import type { LogMessage } from './log-messages.model'
import { waitingMessages } from './log-messages.table'
import { recordLogMessages } from './record-log-messages'

/** Events for the tracker that are not log messages. */
const notLogged: ReadonlySet<string> = new Set([JournalSealed.name])

const recording = inTurn(waitingMessages, 'The recording of log messages', (tx, entries: readonly LogEntry[]) =>
  recordLogMessages(tx, entries),
)

type Readers = Pick<TrackerDeps, 'stream' | 'siblings'>

/** Sends stored messages to the readers of the stream, those at other instances as well. */
function toReaders({ stream, siblings }: Readers, messages: readonly LogMessage[]): void {
  for (const message of messages) {
    stream.send(message)
    if (siblings !== noSiblings) siblings.tell(streamed, JSON.stringify(message))
  }
}

/** Stores messages that wait, and sends them to the readers of the stream. */
export const recordingWorkers = ({ store, ...readers }: { store: OpenStore } & Readers): Worker[] =>
  recording.workers(store, { ...readers, written: (messages) => toReaders(readers, messages) })

/**
 * Stores every event that names the tracker among its consumers as a log message, once, and sends it to the readers of
 * the stream. Events that arrive together are stored together. Throws when such an event defines no log message (`log`).
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
      const messages = [...((await recording.add(tx, each.flat())) ?? [])]
      return each.map(({ length }) => messages.splice(0, length))
    },
  )
  return logged.map((event) =>
    consumer(event, async (envelope) => {
      toReaders({ stream, siblings }, (await take(envelope))?.result ?? [])
      await recording.wake(store)
    }),
  )
}

/** Passes on what other instances have stored; while that may be incomplete, readers must ask for what they missed. */
export function followSiblings({ stream, siblings }: Readers): void {
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
