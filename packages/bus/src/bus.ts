import type { Envelope } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import type { ServiceName } from '@bursar/contracts/services'
import { Queue } from 'bullmq'
import { openPublisher } from './connection'
import { type Consumer, type Handle, startConsumer } from './consume'
import { withDeadline } from './deadline'
import { fanOut, toJob } from './fan-out'
import { attempts, retryDelayMs } from './retry'
import { checkServer } from './server-check'

export interface Bus {
  /**
   * Puts every event on the queue of each service that hears it. Rejects within 2 s, mostly at once, when Redis is
   * away, hangs or refuses; some may have gone out by then, and sending them again does no harm. An event that is not
   * in the catalogue goes to nobody: the others are sent, and the call rejects with its name.
   */
  publish(envelopes: readonly Envelope[]): Promise<void>
  /** Has this service's events handled, `concurrency` (32 unless told) jobs at once. */
  consume(handle: Handle, options?: { concurrency?: number }): Consumer
  /**
   * Jobs on this service's own queue that are not done: waiting, under way and waiting for another try. A job is an event
   * or, where many come at once, up to fifty.
   */
  depth(): Promise<number>
  /** Rejects when Redis does not answer within a second. */
  healthy(): Promise<void>
  /** Calls back each time the connection to Redis breaks. One that answers no PING for 3 s counts as broken. */
  onLost(changed: () => void): void
  /** Calls back each time Redis is there again after having been away, also at the start. */
  onReconnect(changed: () => void): void
  /** Lets the events under way finish, then closes everything. */
  close(): Promise<void>
}

const publishTimeoutMs = 1800
const healthTimeoutMs = 1000

/**
 * Connects a service to the bus. Does not wait for Redis: without it, publishing is refused and consuming begins later.
 * Throws when the URL is not one of Redis. All keys in Redis start with `prefix`.
 */
export function connectBus(options: { url: string; service: ServiceName; log: Log; prefix?: string }): Bus {
  const { url, service, prefix = 'bursar' } = options
  const log = options.log.child({ part: 'bus' })
  const publisher = openPublisher(url, log)
  const queues = new Map<ServiceName, Queue>()
  const consumers: Consumer[] = []
  publisher.redis.on('ready', () => void checkServer(publisher.redis, log))

  function queueOf(name: ServiceName): Queue {
    let queue = queues.get(name)
    if (!queue) {
      queue = openQueue(name, publisher.redis, prefix)
      queues.set(name, queue)
    }
    return queue
  }

  async function publish(envelopes: readonly Envelope[]) {
    const { jobs, unknown } = fanOut(envelopes)
    await publisher.ready(publishTimeoutMs)
    await Promise.all([...jobs].map(([name, list]) => queueOf(name).addBulk(list)))
    if (unknown.length > 0) throw new Error(`Not in the catalogue of events: ${unknown.join(', ')}`)
  }

  async function requeue(events: readonly Envelope[]) {
    const jobs = events.map(toJob).map((job) => ({ ...job, opts: { ...job.opts, delay: retryDelayMs(1) } }))
    await publisher.ready(publishTimeoutMs)
    await queueOf(service).addBulk(jobs)
  }

  return {
    publish: (envelopes) => refusable(withDeadline(publish(envelopes), publishTimeoutMs, 'Redis does not answer')),
    consume(handle, { concurrency = 32 } = {}) {
      const isAway = publisher.isLost
      const consumer = startConsumer(handle, { url, service, prefix, log, concurrency, isAway, requeue })
      consumers.push(consumer)
      return consumer
    },
    async depth() {
      await publisher.ready(healthTimeoutMs)
      const counts = queueOf(service).getJobCounts('waiting', 'active', 'delayed')
      const {
        waiting = 0,
        active = 0,
        delayed = 0,
      } = await refusable(withDeadline(counts, healthTimeoutMs, 'Redis does not answer'))
      return waiting + active + delayed
    },
    async healthy() {
      const asked = publisher.ready(healthTimeoutMs).then(() => publisher.redis.ping())
      await refusable(withDeadline(asked, healthTimeoutMs, 'Redis does not answer'))
    },
    onLost: publisher.onLost,
    onReconnect: publisher.onReconnect,
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.close()))
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      await publisher.close()
    },
  }
}

function openQueue(name: ServiceName, connection: Queue['opts']['connection'], prefix: string): Queue {
  const queue = new Queue(name, {
    connection,
    prefix,
    skipWaitingForReady: true,
    skipVersionCheck: true,
    skipMetasUpdate: true,
    defaultJobOptions: { attempts, backoff: { type: 'capped' } },
  })
  // The publisher's own listeners tell of its connection.
  queue.on('error', () => {})
  return queue
}

/** Passes on what Redis said and no more: ioredis hangs the whole command on its errors, data and all. */
async function refusable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new Error(error instanceof Error ? error.message : String(error))
  }
}
