/// <reference path="./bullmq.d.ts" />
import { type Envelope, type EventType, eventCatalogue } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import type { TSchema } from '@bursar/contracts/schema'
import type { ServiceName } from '@bursar/contracts/services'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { Job } from 'bullmq'
import { UnrecoverableError } from 'bullmq/dist/cjs/classes/errors/unrecoverable-error'
import { Worker } from 'bullmq/dist/cjs/classes/worker'
import { atMostEvery } from './at-most-every'
import { isConnectionError, openWorkerConnections } from './connection'
import { queuePrefix } from './event-queue'
import { attempts, retryDelayMs } from './retry'
import type { SignedEvents, Signer } from './signature'

/** Acts on one event. If it rejects, the event is retried later; an event may be delivered twice. */
export type Handle = (envelope: Envelope) => Promise<void>

export interface Consumer {
  /** Takes no more events and resolves when those under way are done. */
  close(): Promise<void>
}

interface ConsumeOptions {
  url: string
  service: ServiceName
  prefix: string
  log: Log
  /** How many jobs may be under way at once. */
  concurrency: number
  signer: Signer
  /** Puts events back on the queue, a job each, to be retried after a while. */
  requeue(events: readonly Envelope[]): Promise<void>
  /** For tests: how long a job is this worker's without a sign of life, and recording finished jobs may take at the end. */
  patienceMs?: number | undefined
  /** True while Redis is known to be away: failures are not logged one by one then. */
  isAway(): boolean
}

/** How long a job is a worker's without a sign of life. */
const lockMs = 6000
/** How long recording finished jobs may take before the connections are closed; unrecorded jobs are delivered again. */
const closingMs = 2000
const stepMs = 50
const pauseAfterErrorMs = 1000

/** Starts working on the service's own queue. Waits for Redis as long as necessary, also after an outage. */
export function startConsumer(handle: Handle, options: ConsumeOptions): Consumer {
  const { service, prefix, concurrency, log, patienceMs } = options
  const connections = openWorkerConnections(options.url)
  const active = new Set<Promise<void>>()
  const worker = new Worker<SignedEvents>(
    service,
    async (job) => {
      const work = act(job, handle, options)
      active.add(work)
      await work.finally(() => active.delete(work))
    },
    {
      connection: connections.redis,
      prefix: queuePrefix(prefix, service, connections.redis),
      concurrency,
      // Its own checks complain on the console; server-check.ts does it once, in the log.
      skipVersionCheck: true,
      // The job of a dead process goes to another worker within about 10 s, as often as a job may fail.
      lockDuration: patienceMs ?? lockMs,
      stalledInterval: 3000,
      maxStalledCount: attempts,
      runRetryDelay: 1000,
      // Most of what is published again is known by these; the inbox knows all. One may have a megabyte.
      removeOnComplete: { age: 3600, count: 100 },
      // Not by age: a clock that is ahead when one fails would delete them all.
      removeOnFail: { count: 10_000 },
      settings: { backoffStrategy: retryDelayMs },
    },
  )
  const rest = restAfterErrors(worker)
  const warn = atMostEvery(log, 'warn')
  const note = atMostEvery(log, 'info')
  worker.on('failed', (job, error) => reportFailure(job, error, log))
  worker.on('error', (error) => {
    // The publisher's connection logs an outage, perhaps a moment later.
    if (options.isAway() || isConnectionError(error)) return
    // In an outage of Redis the job was recorded but the answer was lost, or its lock has ended: that is not a refusal of the worker.
    if (isOfLostJob(error)) return note({ error: error.message }, 'A job was recorded before, or is another worker’s')
    rest.take()
    warn({ error: error.message }, 'The queue of events refuses its worker')
  })
  let closing: Promise<void> | undefined
  async function close() {
    rest.stop()
    const closed = worker.close().catch(() => {})
    await drained(closed, active, options)
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

/** BullMQ's codes for a job that its worker no longer owns: deleted, unlocked, moved, or taken by another worker. */
const lostJobCodes: unknown[] = [-1, -2, -3, -6]
/** A job that is lost while its handler runs has no code: BullMQ finds its lock gone when it renews it. */
const isOfLostJob = (error: Error): boolean =>
  ('code' in error && lostJobCodes.includes(error.code)) || error.message.startsWith('could not renew lock for job ')

async function act({ id, data }: Job<SignedEvents>, handle: Handle, options: ConsumeOptions): Promise<void> {
  const { service, signer, log, requeue } = options
  const events = signer.verify(service, data)
  if (events === null) {
    log.error({ job: id }, 'A job that no service of this deployment has signed goes to the dead letters')
    throw new UnrecoverableError(notSigned)
  }
  const [first] = events
  if (first && events.length === 1) return await actOnEvent(first, handle, log)
  const outcomes = await Promise.allSettled(events.map((event) => actOnEvent(event, handle, log)))
  // Failed events get their own jobs, so that the others are finished.
  const failed = events.filter((_, i) => outcomes[i]?.status === 'rejected')
  if (failed.length === 0) return
  const names = [...new Set(failed.map(({ name }) => name))]
  const err = outcomes.find((outcome) => outcome.status === 'rejected')?.reason
  const fields = { err, names, failed: failed.length, events: events.length }
  log.warn(fields, 'Some events could not be handled and will be retried')
  await requeue(failed)
}

const notSigned =
  'The signature does not verify: no service of this deployment published it, or one with another INTERNAL_SECRET'

async function actOnEvent(event: Envelope, handle: Handle, log: Log): Promise<void> {
  const wrong = mismatch(event)
  if (wrong === null) return await handle(event)
  log.error({ event: event.name, eventId: event.id, wrong }, 'An event that does not fit its schema is a dead letter')
  throw new UnrecoverableError(`Does not fit the schema of ${event.name}: ${wrong}`)
}

function reportFailure(job: Job<SignedEvents> | undefined, error: Error, log: Log): void {
  if (!job || error instanceof UnrecoverableError) return
  const fields = { err: error, event: job.name, eventId: job.id, attempt: job.attemptsMade, error: error.message }
  if (job.attemptsMade < attempts) log.warn(fields, 'An event could not be handled and will be retried')
  else log.error(fields, 'An event could not be handled and goes to the dead letters')
}

/** Resolves when the worker is closed or, if Redis is away, when no event is being handled. */
async function drained(
  closed: Promise<void>,
  active: Set<Promise<void>>,
  { isAway, patienceMs = closingMs }: Pick<ConsumeOptions, 'isAway' | 'patienceMs'>,
): Promise<void> {
  let isClosed = false
  const finished = closed.then(() => {
    isClosed = true
  })
  do {
    await Promise.race([finished, Promise.allSettled(active)])
    for (let leftMs = patienceMs; leftMs > 0 && !isClosed && !isAway(); leftMs -= stepMs) {
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

/** Without a pause, a worker would call a Redis that refuses everything (full, read-only) in a tight loop. */
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

const compiled = new WeakMap<EventType, TypeCheck<TSchema>>()
const mostMismatches = 3

/**
 * The violation of its event's schema by an envelope's data, without quoting the data; null if there is none.
 * Throws when the catalogue does not know the event: this process may be older than the one that sent it.
 */
function mismatch(envelope: Envelope): string | null {
  const event = eventCatalogue.get(envelope.name)
  if (!event) throw new Error(`No event ${envelope.name} in the catalogue of this process`)
  const check = compiled.getOrInsertComputed(event, () => TypeCompiler.Compile(event.payload))
  if (check.Check(envelope.data)) return null
  const found: string[] = []
  for (const error of check.Errors(envelope.data)) {
    found.push(`${error.path || '/'}: ${error.message}`)
    if (found.length === mostMismatches) break
  }
  return found.join('; ')
}
