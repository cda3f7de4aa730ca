import type { Envelope } from '@bursar/contracts/event'
import { type ServiceName, services } from '@bursar/contracts/services'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { createSigner, type Signer } from './signature'

/**
 * Every event that is on a queue and not yet handled, each once: waiting, under way, to be tried again, and put aside
 * among the failed. Nothing is taken off. What is not signed with the deployment's secret is left out. Rejects when
 * Redis does not answer.
 */
export async function waitingEvents(url: string, secret: Uint8Array, prefix = 'bursar'): Promise<Envelope[]> {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    retryStrategy: () => null,
    connectTimeout: 2000,
    lazyConnect: true,
  })
  redis.on('error', () => {})
  const signer = createSigner(secret)
  try {
    await redis.connect()
    const events = new Map<string, Envelope>()
    for (const name of Object.keys(services) as ServiceName[]) {
      for (const event of await waitingOn(name, redis, prefix, signer)) events.set(event.id, event)
    }
    return [...events.values()]
  } finally {
    redis.disconnect()
  }
}

async function waitingOn(name: ServiceName, connection: Redis, prefix: string, signer: Signer): Promise<Envelope[]> {
  const queue = new Queue<unknown>(name, { connection, prefix, skipVersionCheck: true, skipMetasUpdate: true })
  queue.on('error', () => {})
  try {
    // One call lists them all at one moment; a job that is done before it is read was handled, and is no longer there.
    const jobs = await queue.getJobs(['waiting', 'active', 'delayed', 'prioritized', 'failed'])
    return jobs.filter(Boolean).flatMap(({ data }) => signer.verify(name, data) ?? [])
  } finally {
    await queue.close()
  }
}
