import type { Envelope } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import type { ServiceName } from '@bursar/contracts/services'
import { type Job, UnrecoverableError, Worker } from 'bullmq'
import { openWorkerConnections } from './connection'
import type { Batch } from './fan-out'
import { attempts, retryDelayMs } from './retry'
import { mismatch } from './validate'

/** Acts on one event. When it rejects, the event is tried again later; it may see an event twice. */
export type Handle = (envelope: Envelope) => Promise<void>

export interface Consumer {
  /** Takes no more events and answers when those under way are done. */
  close(): Promise<void>
}

export interface ConsumeOptions {
  url: string
  service: ServiceName
  prefix: string
  log: Log
  /** How many jobs may be under way at once. */
  concurrency: number
  /** Puts events back on the queue, a job each, to be tried again after a while. */
  requeue(events: readonly Envelope[]): Promise<void>
  /** True while Redis is known to be away: what fails then needs no line of its own. */
  isAway(): boolean
}

const daySeconds = 24 * 60 * 60
/** How long the queue gets to note what was done before its connections are cut; what it did not note comes again. */
const closingMs = 2000
const stepMs = 50
const pauseAfterErrorMs = 1000
const quietMs = 10_000

/** Starts to work on the service's own queue. Waits for Redis as long as it takes, also when it goes away. */
export function startConsumer(handle: Handle, options: ConsumeOptions): Consumer {
  const { service, prefix, concurrency, log } = options
  const connections = openWorkerConnections(options.url)
  const active = new Set<Promise<void>>()
  const worker = new Worker<Envelope | Batch>(
    service,
    async (job) => {
      const work = act(job, handle, options)
      active.add(work)
      await work.finally(() => active.delete(work))
    },
    {
      connection: connections.redis,
      prefix,
      concurrency,
      // Its own checks complain on the console; server-check.ts does it once, in the log.
      skipVersionCheck: true,
      // An event whose worker died is taken up again within about 10 s, as often as an event may fail.
      lockDuration: 6000,
      stalledInterval: 3000,
      maxStalledCount: attempts,
      runRetryDelay: 1000,
      removeOnComplete: { age: 3600, count: 1000 },
      removeOnFail: { age: 30 * daySeconds, count: 10_000 },
      settings: { backoffStrategy: retryDelayMs },
    },
  )
  const rest = restAfterErrors(worker)
  const say = seldom(log)
  worker.on('failed', (job, error) => reportFailure(job, error, log))
  worker.on('error', (error) => {
    if (options.isAway()) return
    rest.take()
    say(error.message, 'The queue of events has trouble')
  })
  let closing: Promise<void> | undefined
  async function close() {
    rest.stop()
    const closed = worker.close().catch(() => {})
    await drained(closed, active, options.isAway)
    connections.end()
    const last = pause(closingMs)
    await Promise.race([closed, last.over])
    last.cancel()
  }
  return {
    close() {
      closing ??= close()
      return closing
    },
  }
}

type EventOrBatch = Job<Envelope | Batch>

async function act({ data }: EventOrBatch, handle: Handle, { log, requeue }: ConsumeOptions): Promise<void> {
  if (!('events' in data)) return await actOnEvent(data, handle, log)
  const outcomes = await Promise.allSettled(data.events.map((event) => actOnEvent(event, handle, log)))
  // Those that failed go on by themselves, so that the others are done with.
  const failed = data.events.filter((_, i) => outcomes[i]?.status === 'rejected')
  if (failed.length === 0) return
  log.warn(
    { failed: failed.length, events: data.events.length },
    'Some events could not be handled and will be tried again',
  )
  await requeue(failed)
}

async function actOnEvent(event: Envelope, handle: Handle, log: Log): Promise<void> {
  const wrong = mismatch(event)
  if (wrong === null) return await handle(event)
  log.error({ event: event.name, eventId: event.id, wrong }, 'An event does not fit its schema and is put aside')
  throw new UnrecoverableError(`Does not fit the schema of ${event.name}: ${wrong}`)
}

function reportFailure(job: EventOrBatch | undefined, error: Error, log: Log): void {
  if (!job || error instanceof UnrecoverableError) return
  const fields = { event: job.name, eventId: job.id, attempt: job.attemptsMade, error: error.message }
  if (job.attemptsMade < attempts) log.warn(fields, 'An event could not be handled and will be tried again')
  else log.error(fields, 'An event could not be handled and is put aside among the failed')
}

/** Answers when the worker is closed or, with Redis away, when nothing is under way any more. */
async function drained(closed: Promise<void>, active: Set<Promise<void>>, isAway: () => boolean): Promise<void> {
  let isClosed = false
  const finished = closed.then(() => {
    isClosed = true
  })
  do {
    await Promise.race([finished, Promise.allSettled(active)])
    for (let leftMs = closingMs; leftMs > 0 && !isClosed && !isAway(); leftMs -= stepMs) {
      const step = pause(stepMs)
      await Promise.race([finished, step.over])
      step.cancel()
    }
  } while (!isClosed && active.size > 0)
}

function pause(ms: number): { over: Promise<void>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  return { over: promise, cancel: () => clearTimeout(timer) }
}

/** A Redis that refuses everything (full, read-only) would have the worker ask again without pause. */
function restAfterErrors(worker: Worker) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    take() {
      if (timer || worker.closing) return
      worker.pause(true).catch(() => {})
      timer = setTimeout(() => {
        timer = undefined
        if (!worker.closing) worker.resume().catch(() => {})
      }, pauseAfterErrorMs)
    },
    stop: () => clearTimeout(timer),
  }
}

function seldom(log: Log) {
  let last = Number.NEGATIVE_INFINITY
  return (error: string, message: string) => {
    if (performance.now() - last < quietMs) return
    last = performance.now()
    log.warn({ error }, message)
  }
}
