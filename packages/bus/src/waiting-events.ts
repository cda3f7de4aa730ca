import type { Envelope } from '@bursar/contracts/event'
import { type ServiceName, services } from '@bursar/contracts/services'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import type { Batch } from './fan-out'

/**
 * Every event that is on a queue and not yet handled, each once: waiting, under way, to be tried again, and put aside
 * among the failed. Nothing is taken off. Rejects when Redis does not answer.
 */
export async function waitingEvents(url: string, prefix = 'bursar'): Promise<Envelope[]> {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    retryStrategy: () => null,
    connectTimeout: 2000,
    lazyConnect: true,
  })
  redis.on('error', () => {})
  try {
    await redis.connect()
    const events = new Map<string, Envelope>()
    for (const name of Object.keys(services) as ServiceName[]) {
      for (const event of await waitingOn(name, redis, prefix)) events.set(event.id, event)
    }
    return [...events.values()]
  } finally {
    redis.disconnect()
  }
}

async function waitingOn(name: ServiceName, connection: Redis, prefix: string): Promise<Envelope[]> {
  const queue = new Queue<Envelope | Batch>(name, { connection, prefix, skipVersionCheck: true, skipMetasUpdate: true })
  queue.on('error', () => {})
  try {
    // One call lists them all at one moment; a job that is done before it is read was handled, and is no longer there.
    const jobs = await queue.getJobs(['waiting', 'active', 'delayed', 'prioritized', 'failed'])
    return jobs.filter(Boolean).flatMap(({ data }) => ('events' in data ? data.events : [data]))
  } finally {
    await queue.close()
  }
}
