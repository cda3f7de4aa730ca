import type { Envelope } from '@bursar/contracts/event'
import type { LogEntry } from '@bursar/contracts/log-entry'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import type { Health } from '@bursar/http'
import { type TestService, testService } from '@bursar/testing/service'
import { config } from '../src/config'
import type { TrackerDeps } from '../src/deps'
import { recordingWorkers } from '../src/log-messages/log-messages.consumer'
import { definition } from '../src/service'
import type { LiveStream } from '../src/stream/live-stream'

export { type Answer, readAnswer } from '@bursar/testing/service'

export interface TestTracker extends TestService<TrackerDeps> {
  /** The raw response, its body not read. */
  open(path: string, init?: RequestInit): Promise<Response>
  /** Consumes a log message for each entry, in this order. */
  record(...entries: Partial<LogEntry>[]): Promise<void>
  /** Makes a check fail with this reason from now on; null: it succeeds. */
  fail(check: 'database' | 'messageQueue', reason: string | null): void
  stream: LiveStream
}

/** The real app on a real database in its own folder, without Redis. Paths include the prefix. `others`: its other instances. */
export async function testTracker(
  env: Record<string, string> = {},
  others: Partial<Pick<TrackerDeps, 'siblings'>> = {},
): Promise<TestTracker> {
  const failures = new Map<string, string>()
  const check = (name: string) => async () => {
    const reason = failures.get(name)
    if (reason) throw new Error(reason)
  }
  const real = definition(config(env))
  const service = await testService({
    name: 'log-tracker',
    prefix: '',
    definition: {
      ...real,
      health: (checks, waits) =>
        real.health?.({ ...checks, database: check('database'), messageQueue: check('messageQueue') }, waits) as Health,
    },
  })
  const { stream } = service.deps
  const recording = recordingWorkers({ ...service.deps, ...others })
  return {
    ...service,
    stream,
    open: (path, init) => service.fetch(new Request(`http://localhost${path}`, init)),
    async record(...entries) {
      // At once, so that they share commits: the store runs bodies in order of arrival.
      await Promise.all(entries.map((entry) => service.consume(envelopeOf(entry))))
    },
    fail(name, reason) {
      if (reason === null) failures.delete(name)
      else failures.set(name, reason)
    },
    async close() {
      stream.end()
      await Promise.all(recording.map((worker) => worker.stop()))
      await service.close()
    },
  }
}

/** A log message as it is queued; omitted fields get default values. */
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
      for (;;) {
        while (!text.includes('\n\n')) {
          const { done, value } = (await reader?.read()) ?? { done: true }
          if (done) throw new Error(`The stream has ended, after ${JSON.stringify(text)}`)
          text += decoder.decode(value, { stream: true })
        }
        const end = text.indexOf('\n\n')
        const event = text.slice(0, end)
        text = text.slice(end + 2)
        // Those come by the clock, on a busy machine before anything else.
        if (event !== ': heartbeat') return event.split('\n')
      }
    },
    /** True when nothing more comes. */
    isOver: async () => text === '' && (await reader?.read())?.done === true,
    cancel: async () => await reader?.cancel(),
  }
}
