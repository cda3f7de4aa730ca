import type { Envelope } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { type ServiceName, services } from '@bursar/contracts/services'
import { defaultPrefix } from './bus'
import { openPublisher } from './connection'
import { openQueue } from './event-queue'
import { createSigner, type Signer } from './signature'

const connectTimeoutMs = 2000

/**
 * Every event that is on a queue and not yet handled, each once: waiting, under way, to be tried again, and the dead
 * letters. Nothing is taken off; what is not signed with the deployment's secret is left out. Rejects within 2 s when
 * Redis does not answer.
 */
export async function waitingEvents(options: {
  url: string
  secret: Uint8Array
  prefix?: string
}): Promise<Envelope[]> {
  const { url, secret, prefix = defaultPrefix } = options
  const publisher = openPublisher(url, silentLog)
  const signer = createSigner(secret)
  try {
    await publisher.ready(connectTimeoutMs)
    const events = new Map<string, Envelope>()
    for (const name of Object.keys(services) as ServiceName[]) {
      const queue = openQueue(name, publisher.redis, prefix)
      try {
        for (const event of await eventsOn(queue, name, signer)) events.set(event.id, event)
      } finally {
        await queue.close()
      }
    }
    return [...events.values()]
  } finally {
    await publisher.close()
  }
}

async function eventsOn(queue: ReturnType<typeof openQueue>, name: ServiceName, signer: Signer): Promise<Envelope[]> {
  // One call lists them all at one moment; a job that is done before it is read was handled, and is no longer there.
  const jobs = await queue.getJobs(['waiting', 'active', 'delayed', 'prioritized', 'failed'])
  return jobs.filter((job) => job !== undefined).flatMap(({ data }) => signer.verify(name, data) ?? [])
}
