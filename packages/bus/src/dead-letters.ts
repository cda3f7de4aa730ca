import { type Envelope, retriableMs } from '@bursar/contracts/event'
import type { ServiceName } from '@bursar/contracts/services'
import type { Job } from 'bullmq'
import { openOnce } from './connection'
import { defaultPrefix, type EventQueue, openQueue } from './event-queue'
import { unpackEvents } from './packed-events'
import type { Connection } from './redis-url'
import { isSigned, type SignedEvents } from './signature'

/** A job that failed permanently: its attempts are used up, or it was refused. Redis keeps the newest 10,000 of a service. */
export interface DeadLetter {
  id: string
  /** The event's name; `batch` for several events in one job. */
  name: string
  /** When it failed, ISO 8601 UTC. */
  failedAt: string
  attempts: number
  /** The last error. */
  reason: string
  /** Null if the job has none that can be read. They may be forged: see `reason`. */
  events: Envelope[] | null
}

/** The queue of one service. */
export interface ServiceQueue {
  readonly queue: EventQueue
  /** The connection of the queue. */
  readonly redis: Pick<Connection, 'time'>
}

/** The dead letters of one service. */
export interface DeadLetterBox extends ServiceQueue {
  close(): Promise<void>
}

const page = 100

/** Connects to a service's dead letters. Rejects within 5 s when Redis does not answer. */
export async function openDeadLetters(options: {
  url: string
  service: ServiceName
  prefix?: string
}): Promise<DeadLetterBox> {
  const { url, service, prefix = defaultPrefix } = options
  const redis = await openOnce(url)
  const queue = openQueue(service, redis, prefix)
  return {
    queue,
    redis,
    async close() {
      await queue.close()
      redis.disconnect()
    },
  }
}

/** The newest first. */
export async function listDeadLetters({ queue }: ServiceQueue, limit: number): Promise<DeadLetter[]> {
  const jobs = await queue.getFailed(0, limit - 1)
  return jobs.filter((job) => job !== undefined).map(toContent)
}

export const countDeadLetters = ({ queue }: ServiceQueue): Promise<number> => queue.getFailedCount()

/** Null when there is no dead letter of this id. */
export async function showDeadLetter({ queue }: ServiceQueue, id: string): Promise<DeadLetter | null> {
  const job = await queue.getJob(id)
  if (!job || !(await job.isFailed())) return null
  return toContent(job)
}

/**
 * The result of a retry. `pending`: it was on the queue already; `done`: it was handled since; `expired`: some of its events
 * may have been acted on, and its service no longer knows which.
 */
export type RetryOutcome = 'retried' | 'pending' | 'done' | 'missing' | 'expired'

/**
 * Puts a dead letter back on its queue, with all its attempts before it; not one that was published more than 30 days ago. A
 * repeat finds it there, and changes nothing.
 */
export async function retryDeadLetter({ queue, redis }: ServiceQueue, id: string): Promise<RetryOutcome> {
  // Not through the job at first: the id may be the name of another key of the queue.
  const state = await queue.getJobState(id)
  if (state !== 'failed') return state === 'unknown' ? 'missing' : state === 'completed' ? 'done' : 'pending'
  const job = await queue.getJob(id)
  if (!job) return 'missing'
  const [seconds] = await redis.time()
  if (job.timestamp < Number(seconds) * 1000 - retriableMs) return 'expired'
  try {
    await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })
    return 'retried'
  } catch (error) {
    // Somebody else has retried it in between.
    if (!(await job.isFailed())) return 'pending'
    throw error
  }
}

/**
 * Puts dead letters back on their queue. Gives how many; an id that is not among the dead letters, or expired, is skipped.
 */
export async function retryDeadLetters(box: ServiceQueue, ids: readonly string[] | 'all'): Promise<number> {
  let retried = 0
  for (const id of ids === 'all' ? await allIds(box) : ids) {
    if ((await retryDeadLetter(box, id)) === 'retried') retried += 1
  }
  return retried
}

/** Deletes dead letters for good. Gives how many; an id that is not among them is skipped. */
export async function dropDeadLetters({ queue }: ServiceQueue, ids: readonly string[]): Promise<number> {
  let dropped = 0
  for (const id of ids) {
    const job = (await queue.getJobState(id)) === 'failed' ? await queue.getJob(id) : undefined
    if (!job) continue
    await job.remove()
    dropped += 1
  }
  return dropped
}

/** Read before any is retried: a letter that fails again at once would make this endless. */
async function allIds({ queue }: ServiceQueue): Promise<string[]> {
  const ids: string[] = []
  for (let jobs: Job[] | null = null; jobs === null || jobs.length === page; ) {
    jobs = await queue.getFailed(ids.length, ids.length + page - 1)
    for (const { id } of jobs) if (id) ids.push(id)
  }
  return ids
}

const toContent = (job: Job<SignedEvents>): DeadLetter => ({
  id: job.id ?? '',
  name: job.name,
  failedAt: new Date(job.finishedOn ?? job.timestamp).toISOString(),
  attempts: job.attemptsMade,
  reason: job.failedReason ?? '',
  events: eventsOf(job),
})

function eventsOf({ data }: Job<SignedEvents>): Envelope[] | null {
  try {
    const events: unknown = isSigned(data) ? unpackEvents(data.events) : null
    return Array.isArray(events) && events.every((event) => typeof event === 'object' && event !== null) ? events : null
  } catch {
    return null
  }
}
