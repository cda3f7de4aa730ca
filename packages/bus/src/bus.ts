import { type Envelope, type EventText, eventText } from '@bursar/contracts/event'
import { type Log, messageOf } from '@bursar/contracts/log'
import { type Secrets, secretsOf } from '@bursar/contracts/secrets'
import type { ServiceName } from '@bursar/contracts/services'
import type { JobType } from 'bullmq'
import { openPublisher } from './connection'
import type { Consumer, Handle } from './consume'
import { listDeadLetters, retryDeadLetter, type ServiceQueue } from './dead-letters'
import { withDeadline } from './deadline'
import { announceDeployment } from './deployments'
import { defaultPrefix, type EventQueue, openQueue, queuePrefix } from './event-queue'
import { fanOut, packingOnce, toJob, toJobs } from './fan-out'
import { serverName } from './redis-url'
import { retryDelayMs } from './retry'
import { checkServer } from './server-check'
import { openSiblings, type Siblings } from './siblings'
import { createSigner } from './signature'

export type Bus = ReturnType<typeof connectBus>

const publishTimeoutMs = 1800
const healthTimeoutMs = 1000

interface BusOptions {
  /** `redis://…`, `redis+sentinel://…` or `redis+cluster://…` (redis-url.ts). */
  url: string
  service: ServiceName
  log: Log
  /** The deployment's secret: jobs are signed with a key derived from it, and a consumer refuses those that are not. */
  secret: Uint8Array | Secrets
  /** The prefix of all keys in Redis. */
  prefix?: string
  /**
   * For tests: how long Redis may take to answer, in place of the times above and at the end, and this process to renew its hold
   * of a job. A busy machine takes longer.
   */
  patienceMs?: number
}

/**
 * Connects a service to the bus. Does not wait for Redis: without it, publishing is refused and consuming begins later.
 * Throws when the URL is not one of Redis.
 */
export function connectBus(options: BusOptions) {
  const { url, service, prefix = defaultPrefix, patienceMs } = options
  const [publishMs, healthMs] = [patienceMs ?? publishTimeoutMs, patienceMs ?? healthTimeoutMs]
  const log = options.log.child({ part: 'bus' })
  const publisher = openPublisher(url, log, patienceMs)
  const secrets = secretsOf(options.secret)
  const signer = createSigner(secrets)
  const common = { url, service, prefix, log, signer }
  const queues = new Map<ServiceName, EventQueue>()
  const consumers: Consumer[] = []
  let siblings: Siblings | undefined
  publisher.redis.on('ready', () => void checkServer(publisher.redis, serverName(url), log))
  let isTold = false
  const found = () => {
    if (!isTold)
      log.warn({}, 'Another deployment uses the same Redis: each takes the events of the other for forged ones')
    isTold = true
  }
  const leave = announceDeployment(publisher.redis, { prefix, secrets, found })

  const queueOf = (name: ServiceName): EventQueue =>
    queues.getOrInsertComputed(name, () => openQueue(name, publisher.redis, prefix))

  async function publish(events: readonly EventText[]) {
    const byQueue = fanOut(events)
    await publisher.ready(publishMs)
    const pack = packingOnce()
    await Promise.all(
      [...byQueue.queues].map(([name, events]) => queueOf(name).addBulk(toJobs(name, events, signer, pack))),
    )
    const { unknown } = byQueue
    if (unknown.length > 0) throw new Error(`Not in the catalogue of events: ${unknown.join(', ')}`)
  }

  async function requeue(events: readonly Envelope[]) {
    const pack = packingOnce()
    const jobs = events.map((event) => {
      const job = toJob(service, eventText(event), signer, pack)
      return { ...job, opts: { ...job.opts, delay: retryDelayMs(1) } }
    })
    await publisher.ready(publishMs)
    await queueOf(service).addBulk(jobs)
  }

  /** Reads the service's own queue, while Redis answers. */
  async function asked<T>(question: (own: ServiceQueue) => Promise<T>): Promise<T> {
    await publisher.ready(healthMs)
    const answer = question({ queue: queueOf(service), redis: publisher.redis })
    return await refusable(withDeadline(answer, healthMs, 'Redis does not answer'))
  }

  async function countJobs(...states: JobType[]): Promise<number> {
    const counts = await asked(({ queue }) => queue.getJobCounts(...states))
    return states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
  }

  return {
    /**
     * Puts every event on the queue of each service that consumes it. Rejects within 2 s, mostly at once, when Redis is
     * away, hangs or refuses; some may have been sent by then, and resending them is harmless. An event that is not
     * in the catalogue is not sent: the others are, and the call rejects with its name.
     */
    publish: (events: readonly EventText[]) =>
      refusable(withDeadline(publish(events), publishMs, 'Redis does not answer')),
    /** Handles this service's events, `concurrency` jobs at once (32 by default). */
    consume(handle: Handle, { concurrency = 32 }: { concurrency?: number } = {}): Consumer {
      // Loaded only by services with consumers: BullMQ's worker takes a megabyte.
      const starting = import('./consume').then(({ startConsumer }) =>
        startConsumer(handle, { ...common, concurrency, isAway: publisher.isLost, requeue, patienceMs }),
      )
      const consumer = { close: async () => (await starting).close() }
      consumers.push(consumer)
      return consumer
    },
    /**
     * Unfinished jobs on this service's own queue: waiting, active and waiting for a retry. A job is an event or,
     * if many arrive at once, up to 256. Rejects if Redis does not answer within a second: that is not a depth of 0.
     */
    depth: () => countJobs('waiting', 'active', 'delayed'),
    /** Jobs of this service's own queue that failed permanently. Rejects as `depth` does. */
    deadLetters: () => countJobs('failed'),
    /** The newest of them, at most `limit`. Rejects as `depth` does. */
    listDeadLetters: (limit: number) => asked((own) => listDeadLetters(own, limit)),
    /** Puts one back on the queue. Rejects as `depth` does; it may have been put back nevertheless. */
    retryDeadLetter: (id: string) => asked((own) => retryDeadLetter(own, id)),
    /** Rejects when Redis does not answer within a second, and with its message when it takes no writes. */
    async healthy() {
      // Writes nothing, and is refused as writes are: with a full memory or disk, by a replica.
      const key = `${queuePrefix(prefix, service, publisher.redis)}:${service}:probe`
      const asked = publisher.ready(healthMs).then(() => publisher.redis.setrange(key, 0, ''))
      await refusable(withDeadline(asked, healthMs, 'Redis does not answer'))
    },
    /**
     * Calls back each time the connection to Redis breaks. One that answers no PING for 3 s counts as broken. When a master
     * of a cluster is lost or replaced both are called, one after the other: what it took last may be lost.
     */
    onLost: both(publisher.onLost, publisher.onReplaced),
    /** Calls back each time Redis is reachable again after an outage, also at the start. */
    onReconnect: both(publisher.onReconnect, publisher.onReplaced),
    /** The service's other instances. */
    siblings: () => (siblings ??= openSiblings({ ...common, publisher })),
    /** Waits for the events being handled, then closes everything. */
    async close() {
      leave()
      await siblings?.close()
      await Promise.all(consumers.map((consumer) => consumer.close()))
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      await publisher.close()
    },
  }
}

type Notify = (changed: () => void) => void

const both =
  (...events: [Notify, Notify]): Notify =>
  (changed) => {
    for (const on of events) on(changed)
  }

/** Passes on only the message of Redis: ioredis adds the whole command to its errors, including the data. */
async function refusable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new Error(messageOf(error))
  }
}
