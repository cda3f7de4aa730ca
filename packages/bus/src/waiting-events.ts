import type { Envelope } from '@bursar/contracts/event'
import type { Secrets } from '@bursar/contracts/secrets'
import { type ServiceName, serviceNames } from '@bursar/contracts/services'
import { openOnce } from './connection'
import { defaultPrefix, type EventQueue, openQueue } from './event-queue'
import { createSigner, type Signer } from './signature'

/**
 * Every event that is on a queue and not yet handled, each once: waiting, under way, waiting for a retry, and among the
 * dead letters. Jobs that are not signed with the deployment's secret are left out: no consumer would accept them.
 * Nothing is removed. Rejects if Redis does not answer.
 */
export async function waitingEvents(options: {
  url: string
  secret: Uint8Array | Secrets
  prefix?: string
}): Promise<Envelope[]> {
  const signer = createSigner(options.secret)
  const redis = await openOnce(options.url)
  try {
    const events = new Map<string, Envelope>()
    for (const name of serviceNames) {
      const queue = openQueue(name, redis, options.prefix ?? defaultPrefix)
      for (const event of await waitingOn(name, queue, signer)) events.set(event.id, event)
      await queue.close()
    }
    return [...events.values()]
  } finally {
    redis.disconnect()
  }
}

async function waitingOn(name: ServiceName, queue: EventQueue, signer: Signer): Promise<Envelope[]> {
  // One call lists all jobs at one moment; a job that is missing when it is read was handled in between.
  const jobs = await queue.getJobs(['waiting', 'active', 'delayed', 'prioritized', 'failed'])
  return jobs.filter(Boolean).flatMap(({ data }) => signer.verify(name, data) ?? [])
}
