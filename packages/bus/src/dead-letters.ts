import type { Envelope } from '@bursar/contracts/event'
import type { ServiceName } from '@bursar/contracts/services'
import type { Job } from 'bullmq'
import { openOnce } from './connection'
import { defaultPrefix, type EventQueue, openQueue } from './event-queue'
import { unpackEvents } from './packed-events'
import { isSigned, type SignedEvents } from './signature'

/** A job that failed for good: its attempts are used up, or it was refused. Redis keeps it for 30 days. */
export interface DeadLetter {
  id: string
  /** The event's name; `batch` for several events in one job. */
  name: string
  /** When it failed, ISO 8601 UTC. */
  failedAt: string
  attempts: number
  /** The last error. */
  reason: string
}

export interface DeadLetterContent extends DeadLetter {
  /** Null when the job carries none that can be read. They may be forged: see `reason`. */
  events: Envelope[] | null
}

/** The dead letters of one service. */
export interface DeadLetterBox {
  readonly queue: EventQueue
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
    async close() {
      await queue.close()
      redis.disconnect()
    },
  }
}

/** The newest first. */
export async function listDeadLetters({ queue }: DeadLetterBox, limit: number): Promise<DeadLetter[]> {
  const jobs = await queue.getFailed(0, limit - 1)
  return jobs.filter((job) => job !== undefined).map(toDeadLetter)
}

export const countDeadLetters = ({ queue }: DeadLetterBox): Promise<number> => queue.getFailedCount()

/** Null when there is no dead letter of this id. */
export async function showDeadLetter({ queue }: DeadLetterBox, id: string): Promise<DeadLetterContent | null> {
  const job = await queue.getJob(id)
  if (!job || !(await job.isFailed())) return null
  return { ...toDeadLetter(job), events: eventsOf(job) }
}

/**
 * Puts dead letters back on their queue, with all their attempts before them. Gives how many; an id that is not among
 * the dead letters is passed over.
 */
export async function retryDeadLetters(box: DeadLetterBox, ids: readonly string[] | 'all'): Promise<number> {
  let retried = 0
  for (const id of ids === 'all' ? await allIds(box) : ids) {
    const job = await box.queue.getJob(id)
    if (!job || !(await job.isFailed())) continue
    await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })
    retried += 1
  }
  return retried
}

/** Read before any is retried: one that fails again at once would never come to an end. */
async function allIds({ queue }: DeadLetterBox): Promise<string[]> {
  const ids: string[] = []
  for (let jobs: Job[] | null = null; jobs === null || jobs.length === page; ) {
    jobs = await queue.getFailed(ids.length, ids.length + page - 1)
    for (const { id } of jobs) if (id) ids.push(id)
  }
  return ids
}

const toDeadLetter = (job: Job<SignedEvents>): DeadLetter => ({
  id: job.id ?? '',
  name: job.name,
  failedAt: new Date(job.finishedOn ?? job.timestamp).toISOString(),
  attempts: job.attemptsMade,
  reason: job.failedReason ?? '',
})

function eventsOf({ data }: Job<SignedEvents>): Envelope[] | null {
  try {
    return isSigned(data) ? unpackEvents(data.events) : null
  } catch {
    return null
  }
}
