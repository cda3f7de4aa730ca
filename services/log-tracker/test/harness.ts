import { join } from 'node:path'
import type { Envelope } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import type { LogEntry } from '@bursar/contracts/log-entry'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { createMetrics, currentRequestId } from '@bursar/http'
import { openStore, startRelay } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { createApp } from '../src/app'
import { trackerHealth } from '../src/health'
import { logMessageListeners } from '../src/log-messages/log-messages.consumer'
import { migrations } from '../src/service'
import { createLiveStream } from '../src/stream/live-stream'

/** An answer with its body read. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and says what it expects of it
  body: any
}

export interface TestTracker {
  /** Sends a request to a path as it stands. */
  ask(method: string, path: string, init?: RequestInit): Promise<Answer>
  get(path: string): Promise<Answer>
  /** The response as it comes, its body not read. */
  open(path: string, init?: RequestInit): Promise<Response>
  /** Hands an event over as the queue would. */
  hear(envelope: Envelope): Promise<void>
  /** Hands over a log message for each, one after another. */
  record(...entries: Partial<LogEntry>[]): Promise<void>
  /** Everything the broker was given. */
  published: Envelope[]
  /** What the checks of database and queue say from now on; null: all is well. */
  fail(check: 'database' | 'messageQueue', reason: string | null): void
  /** How the broker answers from now on. */
  broker: { publish(): Promise<void> }
  stream: ReturnType<typeof createLiveStream>
  store: Awaited<ReturnType<typeof openStore>>
  relay: ReturnType<typeof startRelay>
  close(): Promise<void>
}

/** The real app on a real database in a folder of its own, with a broker that is none. */
export async function testTracker(): Promise<TestTracker> {
  const file = join(tempDir(), 'tracker.sqlite')
  const store = await openStore({ service: 'log-tracker', file, migrations, requestId: currentRequestId })
  const published: Envelope[] = []
  const broker = { publish: async () => {} }
  const publish = async (events: Envelope[]) => {
    await broker.publish()
    published.push(...events)
  }
  const relay = startRelay(store, { publish, log: silentLog })
  const stream = createLiveStream()
  const failures = new Map<string, string>()
  const check = (name: string) => async () => {
    const reason = failures.get(name)
    if (reason) throw new Error(reason)
  }
  const health = trackerHealth({ database: check('database'), messageQueue: check('messageQueue') }, stream)
  const metrics = createMetrics('log-tracker', 'test')
  const deps = { store, relay, health, metrics, log: silentLog, version: 'test', onFailure: () => {} }
  const app = createApp(deps, stream)
  const listeners = new Map(logMessageListeners(deps, stream).map((listener) => [listener.name, listener]))

  const open = async (path: string, init: RequestInit = {}) =>
    await app.handle(new Request(`http://localhost${path}`, init))
  async function ask(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    return await read(await open(path, { method, ...init }))
  }
  async function hear(envelope: Envelope) {
    const listener = listeners.get(envelope.name)
    if (!listener) throw new Error(`Nobody listens to ${envelope.name}`)
    await listener.handle(envelope)
  }
  return {
    ask,
    open,
    hear,
    published,
    broker,
    stream,
    store,
    relay,
    get: (path) => ask('GET', path),
    async record(...entries) {
      for (const entry of entries) await hear(envelopeOf(entry))
    },
    fail(name, reason) {
      if (reason === null) failures.delete(name)
      else failures.set(name, reason)
    },
    async close() {
      stream.end()
      await store.close()
    },
  }
}

/** Reads an answer to its end. */
export async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** A log message as it stands on the queue; what is not said is something usual. */
export function envelopeOf(entry: Partial<LogEntry>): Envelope<LogEntry> {
  const data: LogEntry = {
    service: 'quote',
    request_id: 'req-1',
    event_type: 'VALUATION_PROCESSED',
    status: 'SUCCESS',
    timestamp: '2026-01-31T12:00:00.000Z',
    metadata: {},
    ...entry,
  }
  return {
    id: Bun.randomUUIDv7(),
    name: LogRecorded.name,
    type: LogRecorded.type,
    timestamp: data.timestamp,
    requestId: null,
    service: data.service,
    data,
  }
}

/** The events of a stream, one at a time, each as its lines. */
export function eventReader(response: Response) {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    async next(): Promise<string[]> {
      while (!text.includes('\n\n')) {
        const { done, value } = (await reader?.read()) ?? { done: true }
        if (done) throw new Error(`The stream has ended, after ${JSON.stringify(text)}`)
        text += decoder.decode(value, { stream: true })
      }
      const end = text.indexOf('\n\n')
      const event = text.slice(0, end)
      text = text.slice(end + 2)
      return event.split('\n')
    },
    /** True when nothing more comes. */
    isOver: async () => text === '' && (await reader?.read())?.done === true,
    cancel: async () => await reader?.cancel(),
  }
}
